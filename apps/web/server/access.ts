/** What a route demands of its caller, and who enforces it. */
export type Demand =
  /** Anybody. */
  | "public"
  /** A session, else 401 in JSON. Enforced by the proxy and by `route`. */
  | "session"
  /** A signed-in person, else off to the sign-in page and back. Enforced by `route`. */
  | "signed_in"
  /** An OAuth client that authenticates or identifies itself. Enforced by the endpoint. */
  | "client"
  /** An access token in the Authorization header. Enforced by the endpoint. */
  | "bearer"
  /** The provider's signature over the raw body. Enforced by the receiver; never a session. */
  | "signature"
  /** Each tRPC procedure names the role and the scope it asks for. Enforced by tRPC. */
  | "procedure";

export type Policy = {
  demand: Demand;
  /** `page` answers in HTML and its POST is a form with a CSRF token, checked by `route`; `machine` answers in JSON. */
  audience: "page" | "machine";
  methods: string;
};

/**
 * THE policy: every route there is, and what it asks. A folder under `app/` without a line here does not compile,
 * and a line here without a folder fails `access.test.ts`.
 */
export const ACCESS = {
  "/": { demand: "public", audience: "page", methods: "GET, HEAD" },
  "/sign-in": { demand: "public", audience: "page", methods: "GET, HEAD, POST" },
  "/sign-up": { demand: "public", audience: "page", methods: "GET, HEAD, POST" },
  "/sign-out": { demand: "public", audience: "page", methods: "POST" },
  "/consent": { demand: "signed_in", audience: "page", methods: "GET, HEAD, POST" },
  "/device": { demand: "signed_in", audience: "page", methods: "GET, HEAD, POST" },
  "/account": { demand: "signed_in", audience: "page", methods: "GET, HEAD, POST" },
  "/refused": { demand: "public", audience: "page", methods: "GET, HEAD" },

  // No HEAD: Next would make one out of GET, and it would mint a code (AZ-30). The POST comes from other sites: no CSRF token.
  "/authorize": { demand: "client", audience: "machine", methods: "GET, POST" },
  "/token": { demand: "client", audience: "machine", methods: "POST, OPTIONS" },
  "/device_authorization": { demand: "client", audience: "machine", methods: "POST, OPTIONS" },
  "/revoke": { demand: "client", audience: "machine", methods: "POST, OPTIONS" },
  "/introspect": { demand: "client", audience: "machine", methods: "POST" },
  "/.well-known/oauth-authorization-server": { demand: "public", audience: "machine", methods: "GET, HEAD, OPTIONS" },
  "/.well-known/oauth-protected-resource": { demand: "public", audience: "machine", methods: "GET, HEAD, OPTIONS" },
  "/.well-known/oauth-protected-resource/api": { demand: "public", audience: "machine", methods: "GET, HEAD, OPTIONS" },

  "/api/resource": { demand: "bearer", audience: "machine", methods: "GET, HEAD, OPTIONS" },
  "/api/protected/[[...path]]": { demand: "session", audience: "machine", methods: "GET, HEAD" },
  "/api/webhooks/[provider]": { demand: "signature", audience: "machine", methods: "POST" },
  "/trpc/[trpc]": { demand: "procedure", audience: "machine", methods: "GET, POST" },

  "/healthz": { demand: "public", audience: "machine", methods: "GET, HEAD" },
  "/readyz": { demand: "public", audience: "machine", methods: "GET, HEAD" },
  // Whatever is nowhere else: 404, in the caller's own format.
  "/[...nowhere]": { demand: "public", audience: "machine", methods: "any" },
} as const satisfies Record<string, Policy>;

export type RoutePath = keyof typeof ACCESS;

/** Patterns that the proxy protects: the routes of the table that demand a session. */
export const PROTECTED_PATTERNS: readonly string[] = Object.entries(ACCESS)
  .filter(([, { demand }]) => demand === "session")
  .map(([path]) => path.replace("/[[...path]]", "(.*)"));
