// Entry `./routes`: what guards routes, without what checks access tokens, so that a proxy loads no more than it needs. PK-63

// Route protection in front of handlers.

export { createGuard, type GuardCallback, type GuardContext, type Guarded, unauthenticated } from "./guard.ts";
export { MalformedPathError, normalisePath, pathOf } from "./path.ts";
export { defaultDeny, excludeWebhooks, type GuardPreset, protectCallback, STATIC_ASSETS } from "./presets.ts";
export { createRouteMatcher, type RouteMatcher } from "./route-matcher.ts";

// Where a request comes from, and where it may be sent next.

export { localPath } from "./local-path.ts";
export { isSameOrigin } from "./same-origin.ts";

// How the user has to have signed in.

export { type AuthenticationDemand, authenticationChallenge, requireAuthentication } from "./authentication.ts";
export { ACR, type Acr, levelOf, meets, strongerOf } from "./levels.ts";
