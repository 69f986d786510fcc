import type { Send } from "../harness/http.ts";

export const JSON_TYPE = { "content-type": "application/json" };
export const FORM = { "content-type": "application/x-www-form-urlencoded" };
const PAGE = { accept: "text/html" };
export const FROM_SPA = { origin: "https://spa.example" };
const LARGE = "x".repeat(1_200_000);

type Row = [
  what: string,
  request: Send & { path: string },
  status: number,
  answer?: { headers?: Record<string, RegExp>; body?: RegExp },
];

/** Requests without any credentials: what is public, what is closed, and what is refused before a handler sees it. */
export const ANONYMOUS_REQUESTS: Row[] = [
  [
    "MD-01 the metadata",
    { path: "/.well-known/oauth-authorization-server" },
    200,
    { headers: { "cache-control": /public/, etag: /./ } },
  ],
  [
    "MD-01 the metadata for OpenID libraries",
    { path: "/.well-known/openid-configuration" },
    200,
    { body: /"userinfo_endpoint"/ },
  ],
  ["the keys", { path: "/.well-known/jwks.json" }, 200, { body: /"kty"/ }],
  [
    "PM-01 the metadata of the API",
    { path: "/.well-known/oauth-protected-resource/api" },
    200,
    { body: /"authorization_servers"/ },
  ],
  ["PM-01 the metadata of an API that does not exist", { path: "/.well-known/oauth-protected-resource/no/such" }, 404],
  ["WA-01 the origins of passkeys", { path: "/.well-known/webauthn" }, 404],
  [
    "PW-08 a password manager looks for the page that changes a password",
    { path: "/.well-known/change-password" },
    303,
    { headers: { location: /^\/account\/password$/ } },
  ],
  [
    "BB-05 a page of another origin looks for metadata where there is none",
    { path: "/.well-known/oauth-authorization-server/mcp", headers: FROM_SPA },
    404,
    { headers: { "access-control-allow-origin": /^\*$/ } },
  ],
  [
    "BB-05 its preflight, with the headers of an MCP client and of a tracing library",
    {
      path: "/.well-known/openid-configuration/mcp",
      method: "OPTIONS",
      headers: {
        ...FROM_SPA,
        "access-control-request-method": "GET",
        "access-control-request-headers": "mcp-protocol-version,traceparent",
      },
    },
    204,
    { headers: { "access-control-allow-origin": /^\*$/, "access-control-allow-headers": /mcp-protocol-version, \*$/ } },
  ],
  [
    "MD-08 a page of another origin reads the metadata",
    { path: "/.well-known/oauth-authorization-server", headers: FROM_SPA },
    200,
    { headers: { "access-control-allow-origin": /^\*$/ } },
  ],
  ["the process is alive", { path: "/healthz" }, 200],
  ["the server is ready", { path: "/readyz" }, 200],
  [
    "the sign-in page",
    { path: "/sign-in", headers: PAGE },
    200,
    { headers: { "content-type": /^text\/html/ }, body: /name="csrf"/ },
  ],
  ["the style sheet of the pages", { path: "/assets/pages.css" }, 200, { headers: { "content-type": /^text\/css/ } }],
  ["an asset that does not exist", { path: "/assets/none-such.css" }, 404],
  ["the brand's logo, of which there is none", { path: "/brand/logo" }, 404],
  ["HEAD of a page", { path: "/sign-in", method: "HEAD" }, 200, { body: /^$/ }],
  ["HEAD of a document", { path: "/.well-known/oauth-authorization-server", method: "HEAD" }, 200, { body: /^$/ }],
  [
    "BB-02 a preflight for the token endpoint",
    { path: "/token", method: "OPTIONS", headers: { ...FROM_SPA, "access-control-request-method": "POST" } },
    204,
    { headers: { "access-control-allow-headers": /dpop/ } },
  ],
  ["OPTIONS of a page", { path: "/sign-in", method: "OPTIONS" }, 405],
  ["GET of an endpoint that is posted to", { path: "/token" }, 405, { headers: { allow: /POST/ } }],
  ["a method that no page has", { path: "/sign-in", method: "DELETE" }, 405],
  [
    "a path that does not exist, for programs",
    { path: "/no/such", headers: { accept: "application/json" } },
    404,
    { headers: { "content-type": /^application\/json/ } },
  ],
  [
    "a path that does not exist, for browsers",
    { path: "/no/such", headers: PAGE },
    404,
    { headers: { "content-type": /^text\/html/ } },
  ],
  [
    "a page of an account, without a session",
    { path: "/account/security", headers: PAGE },
    303,
    { headers: { location: /^\/sign-in\?/ } },
  ],
  ["a route of the product, without a session", { path: "/api/protected/me" }, 401],
  [
    "the API, without a token",
    { path: "/api/resource" },
    401,
    { headers: { "www-authenticate": /^Bearer .*resource_metadata/ } },
  ],
  [
    "the API, with a token that nobody issued",
    { path: "/api/resource", headers: { authorization: "Bearer garbage" } },
    401,
    { headers: { "www-authenticate": /invalid_token/ } },
  ],
  ["the user info, without a token", { path: "/userinfo" }, 401],
  ["the stream of deliveries, without a token", { path: "/api/deliveries/stream" }, 401],
  ["what the server sees of a request, without the doctor's proof", { path: "/api/doctor" }, 404],
  ["a procedure, without credentials", { path: "/trpc/applications.list?input=%7B%7D" }, 401],
  ["a procedure that does not exist", { path: "/trpc/none.such" }, 404],
  [
    "a token request without a client",
    { path: "/token", method: "POST", headers: FORM, body: "grant_type=client_credentials" },
    401,
  ],
  ["a token request that is JSON", { path: "/token", method: "POST", headers: JSON_TYPE, body: "{}" }, 400],
  ["a token request above the limit", { path: "/token", method: "POST", headers: FORM, body: `a=${LARGE}` }, 413],
  ["a form above the limit", { path: "/sign-in", method: "POST", headers: FORM, body: `a=${LARGE}` }, 413],
  [
    "a procedure's body above the limit",
    { path: "/trpc/applications.create", method: "POST", headers: JSON_TYPE, body: `"${LARGE}"` },
    413,
  ],
  [
    "SE-09 a form from another site",
    {
      path: "/sign-in",
      method: "POST",
      headers: { ...FORM, origin: "https://evil.example", "sec-fetch-site": "cross-site" },
      body: "email=a",
    },
    403,
  ],
  [
    "SD-04 a delivery without a signature",
    { path: "/api/webhooks/stripe", method: "POST", headers: JSON_TYPE, body: "{}" },
    400,
    { body: /signature_missing/ },
  ],
  [
    "SD-04 a delivery of nobody",
    { path: "/api/webhooks/none-such", method: "POST", headers: JSON_TYPE, body: "{}" },
    404,
  ],
  [
    "AZ-06 an authorization request of nobody",
    { path: "/authorize?client_id=none-such&response_type=code", headers: PAGE },
    400,
    { headers: { "content-type": /^text\/html/ } },
  ],
  ["a query that cannot be decoded", { path: "/sign-in?%ff=%zz" }, 200],
];
