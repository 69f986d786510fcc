import { type ActiveSession, asOAuthError, createGuard, pathOf, readSession, refuse, STATIC_ASSETS } from "@gatehouse/auth";
import { clientAddress } from "../node/address.ts";
import { notSignedIn, pageRefusal } from "../pages/respond.tsx";
import { startApp } from "../start/app.ts";
import { demandOf, policyAt } from "./policy.ts";

/**
 * The guard in front of every route, handlers and React pages alike, in the variant that protects what the policy table
 * names (D10). Returns 400 for a path with two readings; without a session 401 in JSON or a redirect to the sign-in page,
 * as the route demands; 503 when the session cannot be read; undefined to let the request through.
 */
export async function gate(request: Request): Promise<Response | undefined> {
  try {
    return await guard(request);
  } catch (thrown) {
    const app = await startApp();
    const pathname = pathOf(request.url);
    const caller = { address: clientAddress(request.headers, app.env.trustProxy) };
    const endpoint = pathname.slice(0, 200);
    if (policyAt(pathname)?.audience === "machine") return refuse(thrown, { endpoint, clientId: null }, app.deps, caller);
    return pageRefusal(asOAuthError(thrown), endpoint, app, caller);
  }
}

const guard = createGuard<ActiveSession>(
  async (auth, request, path) => {
    const demand = demandOf(path, () => pathOf(request.url));
    if (demand !== undefined) await auth.protect(() => notSignedIn(demand, request));
    return undefined;
  },
  {
    readSession: async (request) => readSession(request.headers.get("cookie"), (await startApp()).deps),
    skip: STATIC_ASSETS,
  },
);

const WEBHOOK_WITH_SLASH = /^\/api\/webhooks\/[^/]+\/$/;

/**
 * What a slash at the end means: `/token/` is no alias of `/token`, since following a redirect would post a secret twice
 * (NX-03); a webhook sender gets its delivery through all the same, since it follows no redirects.
 */
export function trailingSlash(pathname: string): { kind: "none" } | { kind: "elsewhere" } | { kind: "same_as"; pathname: string } {
  if (pathname === "/" || !pathname.endsWith("/")) return { kind: "none" };
  return WEBHOOK_WITH_SLASH.test(pathname) ? { kind: "same_as", pathname: pathname.slice(0, -1) } : { kind: "elsewhere" };
}
