import type { ActiveSession } from "@gatehouse/auth";

/** A demand that the gate in front of every route enforces, and `route` or `pageSession` behind it again (D9). */
export type SessionDemand =
  /** A session, else 401 in JSON. */
  | "session"
  /** A signed-in person, else a redirect to the sign-in page and back. */
  | "signed_in";

/** What a route demands of its caller, and who enforces it. */
export type Demand =
  | SessionDemand
  /** Anybody. */
  | "public"
  /** An OAuth client that authenticates or identifies itself. Enforced by the endpoint. */
  | "client"
  /** An access token in the Authorization header. Enforced by the endpoint. */
  | "bearer"
  /** The provider's signature over the raw body. Enforced by the receiver; never a session. */
  | "signature"
  /** Each tRPC procedure names the role and the scope it asks for. Enforced by tRPC. */
  | "procedure";

export type Policy =
  /** `page` answers in HTML, and its POST is a form of ours whose CSRF token `route` checks; `machine` answers in JSON. */
  | { demand: Demand; audience: "page" | "machine" }
  /** A `page.tsx`, which Next renders. It reads its session with `pageSession`. */
  | { demand: "public" | SessionDemand; audience: "react" };

/**
 * THE policy: every route there is, and what it asks. A folder under `app/` without a line here does not compile,
 * and a line here without a folder fails `access.test.ts`.
 */
export const ACCESS = {
  "/": { demand: "public", audience: "page" },
  "/sign-in": { demand: "public", audience: "page" },
  "/sign-up": { demand: "public", audience: "page" },
  "/sign-out": { demand: "public", audience: "page" },
  "/consent": { demand: "signed_in", audience: "page" },
  "/device": { demand: "signed_in", audience: "page" },
  "/account": { demand: "signed_in", audience: "page" },
  "/refused": { demand: "public", audience: "page" },

  // Its POST comes from other sites, so there is no CSRF token; it only leads on to the GET (AZ-01).
  "/authorize": { demand: "client", audience: "page" },
  "/token": { demand: "client", audience: "machine" },
  "/par": { demand: "client", audience: "machine" },
  // As with the authorization endpoint: a client's form has no CSRF token. Our own confirmation has one, which the route checks (LO-02).
  "/logout": { demand: "client", audience: "page" },
  "/userinfo": { demand: "bearer", audience: "machine" },
  "/device_authorization": { demand: "client", audience: "machine" },
  "/register": { demand: "client", audience: "machine" },
  "/register/[clientId]": { demand: "client", audience: "machine" },
  "/revoke": { demand: "client", audience: "machine" },
  "/introspect": { demand: "client", audience: "machine" },
  "/.well-known/oauth-authorization-server": { demand: "public", audience: "machine" },
  "/.well-known/openid-configuration": { demand: "public", audience: "machine" },
  "/.well-known/jwks.json": { demand: "public", audience: "machine" },
  "/.well-known/oauth-protected-resource": { demand: "public", audience: "machine" },
  "/.well-known/oauth-protected-resource/api": { demand: "public", audience: "machine" },
  "/.well-known/oauth-protected-resource/[...path]": { demand: "public", audience: "machine" },

  "/api/resource": { demand: "bearer", audience: "machine" },
  "/api/protected/[[...path]]": { demand: "session", audience: "machine" },
  "/api/webhooks/[provider]": { demand: "signature", audience: "machine" },
  "/trpc/[trpc]": { demand: "procedure", audience: "machine" },

  "/healthz": { demand: "public", audience: "machine" },
  "/readyz": { demand: "public", audience: "machine" },
  // Whatever is nowhere else: 404, in the caller's own format.
  "/[...nowhere]": { demand: "public", audience: "machine" },
} as const satisfies Record<string, Policy>;

export type RoutePath = keyof typeof ACCESS;

/** The routes that are handlers (`route.ts`): our own server calls them without Next. */
export type HandlerPath = { [Path in RoutePath]: (typeof ACCESS)[Path]["audience"] extends "react" ? never : Path }[RoutePath];

/** The routes that are React pages (`page.tsx`). */
export type ReactPath = Exclude<RoutePath, HandlerPath>;

/** The session that a route gets: certain where its policy demands one. */
export type SessionOf<Path extends RoutePath> = (typeof ACCESS)[Path]["demand"] extends SessionDemand
  ? ActiveSession
  : ActiveSession | undefined;
