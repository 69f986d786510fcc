import {
  type ActiveSession,
  asOAuthError,
  createGuard,
  type GuardContext,
  type Guarded,
  pathOf,
  readSession,
  refuse,
  STATIC_ASSETS,
} from "@gatehouse/auth";
import { isPrefetch, refusePrefetch } from "@gatehouse/runtime";
import { clientAddress, requestIdOf } from "../node/address.ts";
import { frameOf } from "../pages/frame/frame.ts";
import { pageRefusal } from "../pages/responses/errors.tsx";
import { notSignedIn } from "../pages/responses/not-signed-in.ts";
import { startApp, startedApp } from "../start/app.ts";
import { policyAt, requirementOf } from "./policy-lookup.ts";
import type { SessionRequirement } from "./policy-table.ts";

/**
 * The guard in front of every route, handlers and React pages alike. It protects what the policy table names (D10).
 * Returns undefined to let the request through; 400 for a path that can be read in two ways; 401 in JSON or a redirect
 * to the sign-in page when the route requires a session and there is none; 503 when the session cannot be read.
 */
export function guard(request: Request): Guarded {
  const decided = requireSession(request);
  return decided instanceof Promise ? decided.catch((thrown: unknown) => failed(thrown, request)) : decided;
}

async function failed(thrown: unknown, request: Request): Promise<Response> {
  const app = await startApp();
  const pathname = pathOf(request.url);
  const { trustedProxies } = app.env;
  const requestId = requestIdOf(request.headers, trustedProxies);
  const caller = { address: clientAddress(request.headers, trustedProxies), requestId };
  const endpoint = pathname.slice(0, 200);
  if (policyAt(pathname)?.kind === "endpoint") return refuse(thrown, { endpoint, clientId: null }, app.deps, caller);
  return pageRefusal(asOAuthError(thrown), endpoint, { app, caller, frame: frameOf({ request, app }) });
}

const requireSession = createGuard<ActiveSession>(
  (auth, request, path) => {
    const requires = requirementOf(path, () => pathOf(request.url));
    if (requires === undefined) return undefined;
    // Before the session is read, which moves its expiry.
    if (isPrefetch(request.headers)) return refusePrefetch();
    const app = startedApp();
    // Without a cookie there is no session to wait for.
    if (app && request.headers.get("cookie") === null) return notSignedIn(requires, request, app.deps);
    return protect(auth, requires, request);
  },
  {
    readSession: async (request) => readSession(request.headers.get("cookie"), (await startApp()).deps),
    skip: STATIC_ASSETS,
  },
);

async function protect(
  auth: GuardContext<ActiveSession>,
  requires: SessionRequirement,
  request: Request,
): Promise<undefined> {
  const { deps } = await startApp();
  await auth.protect(() => notSignedIn(requires, request, deps));
}
