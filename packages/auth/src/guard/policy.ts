/**
 * Requirements that the guard enforces in front of the route, and `route` or `pageSession` enforces again behind it
 * (D9).
 */
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

/** One route's line in the policy table. */
export type Policy =
  /** A `route.ts` that answers in JSON. */
  | { requires: Requirement; kind: "endpoint" }
  /**
   * A `route.ts` that answers in HTML; `route` checks the CSRF token of its POST. The token is bound to the session, or
   * to the browser with `csrf: "browser"`: for forms of people who are not signed in, so that a sign-in in another tab
   * does not invalidate them. `form: "upload"`: its form has a file.
   */
  | { requires: Requirement; kind: "page"; csrf?: "browser"; form?: "upload" }
  /** A `page.tsx`, which Next renders. It reads its session with `pageSession`. */
  | { requires: "public" | SessionRequirement; kind: "react" };
