// PK-14: Web APIs and jose only, for the server and for products on any runtime.

// Route protection in front of handlers.

export { createGuard, type GuardCallback, type GuardContext, type Guarded, unauthenticated } from "./guard.ts";
export { MalformedPathError, normalisePath, pathOf } from "./path.ts";
export { defaultDeny, excludeWebhooks, type GuardPreset, protectCallback, STATIC_ASSETS } from "./presets.ts";
export { createRouteMatcher, type RouteMatcher } from "./route-matcher.ts";

// Where a request comes from, and where it may be sent next.

export { localPath } from "./local-path.ts";
export { isSameOrigin } from "./same-origin.ts";
