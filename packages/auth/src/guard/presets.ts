import { type AuthCallback, type AuthMiddlewareOptions, createRouteMatcher } from "./middleware.ts";

/** One way to guard a host: hand both to `createAuthMiddleware`, with a `readSession`. */
export type GuardPreset<S> = { callback: AuthCallback<S> } & Pick<AuthMiddlewareOptions<S>, "skip">;

/** What the framework serves itself, never a route of ours. */
export const STATIC_ASSETS = ["/_next/static(.*)", "/_next/image(.*)", "/favicon.ico"];

/** One segment, so that a page which happens to live below the webhooks is not left open with them. */
export const WEBHOOK_ROUTES = ["/api/webhooks/:provider"];

/**
 * What works without a session, by name: endpoints that authenticate their caller themselves, the pages by which one signs in,
 * and what is public. SD-05.
 */
export const PUBLIC_ROUTES = [
  "/.well-known(.*)",
  "/authorize",
  "/token",
  "/par",
  "/device_authorization",
  "/revoke",
  "/introspect",
  "/register(.*)",
  "/userinfo",
  "/logout",
  "/sign-in",
  "/sign-up",
  "/refused",
  "/healthz",
  "/readyz",
];

/** Lets everything through but the protected routes. Webhooks pass because nothing names them. */
export function protectCallback<S>(protectedRoutes: readonly string[] = ["/api/protected(.*)"]): GuardPreset<S> {
  const isProtected = createRouteMatcher(protectedRoutes);
  return {
    skip: STATIC_ASSETS,
    callback: async (auth, _, path) => {
      if (isProtected(path)) await auth.protect();
      return undefined;
    },
  };
}

/** Protects everything but the public routes, with the webhooks among those. */
export function defaultDeny<S>(publicRoutes: readonly string[] = PUBLIC_ROUTES): GuardPreset<S> {
  const isPublic = createRouteMatcher([...publicRoutes, ...WEBHOOK_ROUTES]);
  return {
    skip: STATIC_ASSETS,
    callback: async (auth, _, path) => {
      if (!isPublic(path)) await auth.protect();
      return undefined;
    },
  };
}

/** Keeps the webhooks out of the guard altogether, as a matcher that leaves their paths out does, and protects all else that is not public. */
export function excludeWebhooks<S>(publicRoutes: readonly string[] = PUBLIC_ROUTES): GuardPreset<S> {
  const isPublic = createRouteMatcher(publicRoutes);
  return {
    skip: [...STATIC_ASSETS, ...WEBHOOK_ROUTES],
    callback: async (auth, _, path) => {
      if (!isPublic(path)) await auth.protect();
      return undefined;
    },
  };
}
