import { type ActiveSession, csrfToken, readSession } from "@gatehouse/auth";
import { createContext } from "@gatehouse/console/context";
import { createCallerFactory } from "@gatehouse/console/trpc";
import { appRouter } from "@gatehouse/product/router";
import { clientAddress } from "../node/address.ts";
import { signInPath } from "../pages/responses/not-signed-in.ts";
import { guard } from "../routing/guard.ts";
import { everywhereHeaders, reactPageHeaders } from "../routing/headers.ts";
import { isReactPage } from "../routing/policy-lookup.ts";
import { POLICIES, type Policy, type RoutePath } from "../routing/policy-table.ts";
import { trailingSlash } from "../routing/trailing-slash.ts";
import { startApp } from "../start/app.ts";

const callerOf = createCallerFactory(appRouter);

/** The session of a React page, or where to send its visitor to sign in: `pageSession` without Next. */
async function sessionAt(
  path: RoutePath,
  cookie: string | null,
): Promise<{ session: ActiveSession | undefined; signInAt?: string }> {
  const { requires } = POLICIES[path] as Policy;
  const session = await readSession(cookie, (await startApp()).deps);
  if (session || requires === "public") return { session };
  return { session, signInAt: path.includes("[") ? "/sign-in" : signInPath(path) };
}

/** Who is signed in, with the token of a sign-out form: `pageVisitor` without Next. */
async function visitorOf(cookie: string | null) {
  const { deps } = await startApp();
  const session = await readSession(cookie, deps);
  if (!session) return undefined;
  const { name, email } = session.user;
  return { name, email, csrf: csrfToken(cookie, session, deps).token };
}

/** The procedures of /trpc for the session in these headers: `pageApi` without Next. */
async function proceduresFor(sent: Headers) {
  const { deps, env } = await startApp();
  const request = new Request(env.issuer, { headers: { cookie: sent.get("cookie") ?? "" } });
  const caller = { address: clientAddress(sent, env.trustedProxies) };
  return callerOf(await createContext({ request, deps, caller, alsoAccepts: ["session"] }));
}

/**
 * What proxy.ts and React pages use of the server. Next's production build does not bundle this module: it loads the
 * one that build.ts has bundled (docs/decisions/0018-one-server-module.md).
 */
export const server = {
  startApp,
  guard,
  isReactPage,
  trailingSlash,
  everywhereHeaders,
  reactPageHeaders,
  sessionAt,
  visitorOf,
  proceduresFor,
};
