import type { ActiveSession } from "@gatehouse/auth";

/** Requirements that the guard enforces in front of the route, and `route` or `pageSession` enforces again behind it (D9). */
export type SessionRequirement =
  /** A session; otherwise 401 in JSON. */
  | "session"
  /** A signed-in user; otherwise a redirect to the sign-in page and back. */
  | "signed_in";

/** What a route requires of its caller, and which code enforces it. */
export type Requirement =
  | SessionRequirement
  /** Nothing. */
  | "public"
  /** An OAuth client that authenticates or identifies itself. Enforced by the protocol endpoint. */
  | "client"
  /** An access token in the Authorization header. Enforced by the handler. */
  | "bearer"
  /** The provider's signature over the raw body. Enforced by the webhook receiver; never a session. */
  | "signature"
  /** The role and scope that each tRPC procedure names. Enforced by tRPC. */
  | "procedure";

export type Policy =
  /** A `route.ts`. A `page` answers in HTML, and `route` checks the CSRF token of its POST. An `endpoint` answers in JSON. */
  | { requires: Requirement; kind: "page" | "endpoint" }
  /** A `page.tsx`, which Next renders. It reads its session with `pageSession`. */
  | { requires: "public" | SessionRequirement; kind: "react" };

/**
 * The policy table: every route and what it requires. This line and the file under `app/` are all that a new URL needs. A
 * `route.ts` without a line here does not compile; a line without a file fails `policy-table.test.ts` and the start.
 */
export const POLICIES = {
  "/": { requires: "public", kind: "page" },
  "/sign-in": { requires: "public", kind: "page" },
  "/sign-up": { requires: "public", kind: "page" },
  "/sign-out": { requires: "public", kind: "page" },
  "/consent": { requires: "signed_in", kind: "page" },
  "/device": { requires: "signed_in", kind: "page" },
  "/account": { requires: "signed_in", kind: "page" },
  "/refused": { requires: "public", kind: "page" },

  // Other sites post here, so there is no CSRF token; the POST only redirects to the GET (AZ-01).
  "/authorize": { requires: "client", kind: "page" },
  "/token": { requires: "client", kind: "endpoint" },
  "/par": { requires: "client", kind: "endpoint" },
  // A client's form has no CSRF token. The confirmation form has one, and the route checks it itself (LO-02).
  "/logout": { requires: "client", kind: "page" },
  "/userinfo": { requires: "bearer", kind: "endpoint" },
  "/device_authorization": { requires: "client", kind: "endpoint" },
  "/register": { requires: "client", kind: "endpoint" },
  "/register/[clientId]": { requires: "client", kind: "endpoint" },
  "/revoke": { requires: "client", kind: "endpoint" },
  "/introspect": { requires: "client", kind: "endpoint" },
  "/.well-known/oauth-authorization-server": { requires: "public", kind: "endpoint" },
  "/.well-known/openid-configuration": { requires: "public", kind: "endpoint" },
  "/.well-known/jwks.json": { requires: "public", kind: "endpoint" },
  "/.well-known/oauth-protected-resource": { requires: "public", kind: "endpoint" },
  "/.well-known/oauth-protected-resource/api": { requires: "public", kind: "endpoint" },
  "/.well-known/oauth-protected-resource/[...path]": { requires: "public", kind: "endpoint" },

  "/api/resource": { requires: "bearer", kind: "endpoint" },
  "/api/protected/[[...path]]": { requires: "session", kind: "endpoint" },
  "/api/webhooks/[provider]": { requires: "signature", kind: "endpoint" },
  "/trpc/[trpc]": { requires: "procedure", kind: "endpoint" },

  "/healthz": { requires: "public", kind: "endpoint" },
  "/readyz": { requires: "public", kind: "endpoint" },
  // Every other path: 404, as a page for browsers and as JSON for programs.
  "/[...notFound]": { requires: "public", kind: "endpoint" },
} as const satisfies Record<string, Policy>;

export type RoutePath = keyof typeof POLICIES;

/** Routes that are handlers (`route.ts`). Our own server calls them without Next. */
export type HandlerPath = { [Path in RoutePath]: (typeof POLICIES)[Path]["kind"] extends "react" ? never : Path }[RoutePath];

/** Routes that are React pages (`page.tsx`). */
export type ReactPath = Exclude<RoutePath, HandlerPath>;

const isHandler = (path: RoutePath): path is HandlerPath => (POLICIES[path] as Policy).kind !== "react";

export const HANDLER_PATHS: readonly HandlerPath[] = (Object.keys(POLICIES) as RoutePath[]).filter(isHandler);

/** The session that a route's handlers receive: always there where the policy requires one. */
export type SessionOf<Path extends RoutePath> = (typeof POLICIES)[Path]["requires"] extends SessionRequirement
  ? ActiveSession
  : ActiveSession | undefined;
