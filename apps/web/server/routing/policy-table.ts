import type { ActiveSession, Policy, SessionRequirement } from "@gatehouse/auth";
import { productPolicies } from "@gatehouse/product";

export type { Policy, SessionRequirement };

/** Gatehouse's routes. The product's are in packages/product/src/policies.ts. */
export const CORE_POLICIES = {
  "/": { requires: "public", kind: "page" },
  "/sign-in": { requires: "public", kind: "page", csrf: "browser" },
  "/sign-in/with/[provider]": { requires: "public", kind: "page", csrf: "browser" },
  // Providers answer here, Apple with a POST, which only redirects to the GET (UP-11).
  "/sign-in/with/[provider]/callback": { requires: "client", kind: "page" },
  // An admin's test of a provider begins here; the console's ticket in its query lets it.
  "/sign-in/with/[provider]/test": { requires: "signed_in", kind: "page" },
  "/account/identities": { requires: "signed_in", kind: "page" },
  "/sign-in/new-password": { requires: "public", kind: "page", csrf: "browser" },
  "/sign-up": { requires: "public", kind: "page", csrf: "browser" },
  "/sign-in/passkey": { requires: "public", kind: "page", csrf: "browser" },
  "/sign-in/passkey-offer": { requires: "signed_in", kind: "page" },
  "/sign-in/code": { requires: "public", kind: "page", csrf: "browser" },
  "/sign-in/new-browser": { requires: "public", kind: "page", csrf: "browser" },
  "/sign-in/second-step": { requires: "public", kind: "page", csrf: "browser" },
  "/sign-in/confirm": { requires: "signed_in", kind: "page" },
  "/forgot-password": { requires: "public", kind: "page", csrf: "browser" },
  "/reset-password": { requires: "public", kind: "page", csrf: "browser" },
  "/sign-in/restore": { requires: "public", kind: "page", csrf: "browser" },
  "/verify-email": { requires: "public", kind: "page", csrf: "browser" },
  "/invitation": { requires: "public", kind: "page", csrf: "browser" },
  "/sign-out": { requires: "public", kind: "page" },
  "/consent": { requires: "signed_in", kind: "page" },
  "/device": { requires: "signed_in", kind: "page" },
  "/account": { requires: "signed_in", kind: "page" },
  "/account/picture": { requires: "signed_in", kind: "page", form: "upload" },
  "/account/security/passkeys": { requires: "signed_in", kind: "page" },
  "/account/password": { requires: "signed_in", kind: "page" },
  "/account/security": { requires: "signed_in", kind: "page" },
  "/account/security/authenticator": { requires: "signed_in", kind: "page" },
  "/account/security/recovery-codes": { requires: "signed_in", kind: "page" },
  "/account/security/browsers": { requires: "signed_in", kind: "page" },
  "/account/sessions": { requires: "signed_in", kind: "page" },
  "/account/apps": { requires: "signed_in", kind: "page" },
  "/account/activity": { requires: "signed_in", kind: "page" },
  "/account/email": { requires: "signed_in", kind: "page" },
  "/account/delete": { requires: "signed_in", kind: "page" },
  "/account/export": { requires: "signed_in", kind: "page" },
  "/language": { requires: "public", kind: "page" },
  "/brand/colours/[colour]": { requires: "public", kind: "endpoint" },
  "/brand/logo": { requires: "public", kind: "endpoint" },
  "/brand/preview": { requires: "public", kind: "page" },
  "/picture/[id]": { requires: "public", kind: "endpoint" },
  "/brand/[applicationId]/logo": { requires: "public", kind: "endpoint" },
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
  "/.well-known/webauthn": { requires: "public", kind: "endpoint" },
  "/.well-known/change-password": { requires: "public", kind: "endpoint" },
  "/.well-known/oauth-authorization-server": { requires: "public", kind: "endpoint" },
  "/.well-known/openid-configuration": { requires: "public", kind: "endpoint" },
  "/.well-known/jwks.json": { requires: "public", kind: "endpoint" },
  "/.well-known/oauth-protected-resource": { requires: "public", kind: "endpoint" },
  "/.well-known/oauth-protected-resource/api": { requires: "public", kind: "endpoint" },
  "/.well-known/oauth-protected-resource/[...path]": { requires: "public", kind: "endpoint" },

  "/api/resource": { requires: "bearer", kind: "endpoint" },
  "/api/protected/[[...path]]": { requires: "session", kind: "endpoint" },
  "/api/webhooks/[provider]": { requires: "signature", kind: "endpoint" },
  "/api/deliveries/stream": { requires: "bearer", kind: "endpoint" },
  // For the doctor of the same installation, whose proof the handler checks.
  "/api/doctor": { requires: "public", kind: "endpoint" },
  "/trpc/[trpc]": { requires: "procedure", kind: "endpoint" },

  "/healthz": { requires: "public", kind: "endpoint" },
  "/readyz": { requires: "public", kind: "endpoint" },
  // Every other path: 404, as a page for browsers and as JSON for programs.
  "/[...notFound]": { requires: "public", kind: "endpoint" },
} as const satisfies Record<string, Policy>;

/**
 * The policy table: every route and what it requires. This line and the file under `app/` are all that a new URL needs,
 * and a row of docs/threat-model.md (OP-99).
 * A `route.ts` without a line here does not compile; a line without a file fails `policy-table.test.ts` and the start.
 */
export const POLICIES = { ...CORE_POLICIES, ...productPolicies } as const;

export type RoutePath = keyof typeof POLICIES;

/** Routes that are handlers (`route.ts`). Our own server calls them without Next. */
export type HandlerPath = {
  [Path in RoutePath]: (typeof POLICIES)[Path]["kind"] extends "react" ? never : Path;
}[RoutePath];

/** Routes that are React pages (`page.tsx`). */
export type ReactPath = Exclude<RoutePath, HandlerPath>;

const isHandler = (path: RoutePath): path is HandlerPath => (POLICIES[path] as Policy).kind !== "react";

export const HANDLER_PATHS: readonly HandlerPath[] = (Object.keys(POLICIES) as RoutePath[]).filter(isHandler);

/** The session that a route's handlers receive: always there where the policy requires one. */
export type SessionOf<Path extends RoutePath> = (typeof POLICIES)[Path]["requires"] extends SessionRequirement
  ? ActiveSession
  : ActiveSession | undefined;
