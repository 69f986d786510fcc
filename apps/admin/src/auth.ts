import { gatehouse } from "@gatehouse/sdk/next";
import { CLIENT_ID, env } from "./env.ts";
import { problemPage } from "./session/problem-page.ts";

const WEBHOOK_SCOPES = "webhooks:read webhooks:reveal webhooks:replay webhooks:configure";

/**
 * The console's sign-in, sessions and guard, as every product has them. The environment is read with the first request:
 * a build has none. PK-15.
 */
export const { auth, handlers, proxy, getAccessToken, signInPath } = gatehouse({
  get issuer() {
    return env().issuer;
  },
  get clientSecret() {
    return env().clientSecret;
  },
  get cookieSecret() {
    return env().cookieSecret;
  },
  get appUrl() {
    return env().adminUrl;
  },
  clientId: CLIENT_ID,
  scope: `console:read console:write ${WEBHOOK_SCOPES} api:read offline_access`,
  // So that a stolen cookie ends the session once both have renewed it.
  rotation: true,
  // The server checks the token again with each procedure, and no page has data from elsewhere.
  check: 60,
  afterSignOut: "/signed-out",
  problemPage,
});
