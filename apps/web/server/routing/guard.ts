import { type ActiveSession, asOAuthError, createGuard, pathOf, readSession, refuse, STATIC_ASSETS } from "@gatehouse/auth";
import { isPrefetch, refusePrefetch } from "@gatehouse/net";
import { clientAddress } from "../node/address.ts";
import { frameOf } from "../pages/frame.ts";
import { notSignedIn, pageRefusal } from "../pages/respond.tsx";
import { startApp } from "../start/app.ts";
import { policyAt, requirementOf } from "./policy-lookup.ts";

/**
 * The guard in front of every route, handlers and React pages alike. It protects what the policy table names (D10).
 * Returns undefined to let the request through; 400 for a path that can be read in two ways; 401 in JSON or a redirect to the
 * sign-in page when the route requires a session and there is none; 503 when the session cannot be read.
 */
export async function guard(request: Request): Promise<Response | undefined> {
  try {
    return await requireSession(request);
  } catch (thrown) {
    const app = await startApp();
    const pathname = pathOf(request.url);
    const caller = { address: clientAddress(request.headers, app.env.trustProxy) };
    const endpoint = pathname.slice(0, 200);
    if (policyAt(pathname)?.kind === "endpoint") return refuse(thrown, { endpoint, clientId: null }, app.deps, caller);
    return pageRefusal(asOAuthError(thrown), endpoint, { app, caller, frame: frameOf({ request, app }) });
  }
}

const requireSession = createGuard<ActiveSession>(
  async (auth, request, path) => {
    const requires = requirementOf(path, () => pathOf(request.url));
    if (requires === undefined) return undefined;
    // Before the session is read, which moves its expiry.
    if (isPrefetch(request.headers)) return refusePrefetch();
    const { deps } = await startApp();
    await auth.protect(() => notSignedIn(requires, request, deps));
    return undefined;
  },
  {
    readSession: async (request) => readSession(request.headers.get("cookie"), (await startApp()).deps),
    skip: STATIC_ASSETS,
  },
);
