import type { GuardCallback, GuardOptions } from "./guard.ts";
import { createRouteMatcher } from "./route-matcher.ts";

/** A ready-made guard: pass `callback` and `skip` to `createGuard`, together with a `readSession`. */
export type GuardPreset<S> = { callback: GuardCallback<S> } & Pick<GuardOptions<S>, "skip">;

/** Files that Next serves itself; they are never protected routes. */
export const STATIC_ASSETS = ["/_next/static(.*)", "/_next/image(.*)", "/favicon.ico"];

/** One segment only, so that a page below it does not become public too. */
const WEBHOOK_ROUTES = ["/api/webhooks/:provider"];

/**
 * Routes that work without a session: endpoints that authenticate their callers themselves, sign-in pages, public
 * pages. SD-05.
 */
const PUBLIC_ROUTES = [
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

/** Requires a session for the protected routes only. Webhooks pass because no pattern names them. */
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

/** Requires a session for everything except the public routes and the webhooks. */
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

/**
 * Skips the webhooks entirely, as a Next matcher that excludes their paths does, and requires a session for everything
 * else that is not public.
 */
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
