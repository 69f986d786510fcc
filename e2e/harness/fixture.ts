/**
 * What the black-box tests find registered. Each client represents one kind; each test file signs in as its own user,
 * so that files can run in parallel.
 */
export const PASSWORD = "correct horse battery";

export type FixtureClient = {
  client_id: string;
  environment: "development" | "staging" | "production";
  type: "web" | "browser" | "native" | "service" | "device";
  client_secret?: string;
  redirect_uris?: string[];
  grant_types: string[];
  scopes: readonly string[];
  first_party?: boolean;
  resource_server?: boolean;
  refresh_retry_seconds?: number;
  resources?: readonly string[];
  serves?: readonly string[];
  require_pushed_requests?: boolean;
  dpop_bound?: boolean;
  dpop_nonce?: boolean;
  enabled?: boolean;
  rotate_refresh_tokens?: boolean;
  access_token_seconds?: number;
  id_token_claims?: "granted" | "minimal";
};

export const DEVICE_CODE = "urn:ietf:params:oauth:grant-type:device_code";
export const TOKEN_EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";
const CODE_AND_REFRESH = ["authorization_code", "refresh_token"];
const API = ["api:read", "api:write", "offline_access"];
export const WEBHOOK_SCOPES = ["webhooks:read", "webhooks:reveal", "webhooks:replay", "webhooks:configure"];
const secretOf = (clientId: string) => `only-for-tests-${clientId}-0123456789-0123456789`;

/** Confidential, with redirect URIs that differ in every way that must not match. */
const web = {
  client_id: "web",
  environment: "production",
  type: "web",
  client_secret: secretOf("web"),
  redirect_uris: ["https://app.example/cb", "https://app.example/cb?tenant=7"],
  grant_types: CODE_AND_REFRESH,
  scopes: [...API, "openid", "profile", "email"],
} as const satisfies FixtureClient;

/** Its ID tokens have no personal claims. */
const quietWeb = {
  ...web,
  client_id: "quiet-web",
  client_secret: secretOf("quiet-web"),
  redirect_uris: ["https://quiet.example/cb"],
  id_token_claims: "minimal",
} as const satisfies FixtureClient;

/** A second confidential client, for what must not leak from one to the other. */
const otherWeb = {
  ...web,
  client_id: "other-web",
  client_secret: secretOf("other-web"),
  redirect_uris: ["https://other.example/cb"],
} as const satisfies FixtureClient;

/** No retry window: every reuse of a rotated refresh token counts as theft. */
const strictWeb = {
  ...web,
  client_id: "strict-web",
  client_secret: secretOf("strict-web"),
  redirect_uris: ["https://strict.example/cb"],
  refresh_retry_seconds: 0,
} as const satisfies FixtureClient;

/** On a developer's machine; the port must match. */
const localWeb = {
  ...web,
  client_id: "local-web",
  environment: "development",
  client_secret: secretOf("local-web"),
  redirect_uris: ["http://localhost:3000/cb"],
} as const satisfies FixtureClient;

/** Its secret needs every kind of escaping that Basic has. */
const awkwardSecret = {
  ...web,
  client_id: "awkward-secret",
  client_secret: "a:b+c%20d&e=f/g?h-only-for-tests-0123456789",
  redirect_uris: ["https://awkward.example/cb"],
} as const satisfies FixtureClient;

/** Has a redirect URI, but not the authorization code grant. */
const noCode = {
  ...web,
  client_id: "no-code",
  client_secret: secretOf("no-code"),
  redirect_uris: ["https://no-code.example/cb"],
  grant_types: ["client_credentials"],
} as const satisfies FixtureClient;

const disabled = {
  ...web,
  client_id: "disabled",
  client_secret: secretOf("disabled"),
  redirect_uris: ["https://disabled.example/cb"],
  enabled: false,
} as const satisfies FixtureClient;

/** A single-page app. */
const browser = {
  client_id: "browser",
  environment: "production",
  type: "browser",
  redirect_uris: ["https://spa.example/cb"],
  grant_types: CODE_AND_REFRESH,
  scopes: API,
} as const satisfies FixtureClient;

/** A single-page app on a developer's machine. */
const localBrowser = {
  ...browser,
  client_id: "local-browser",
  environment: "development",
  redirect_uris: ["http://localhost:5173/cb"],
} as const satisfies FixtureClient;

/** A desktop app with every kind of redirect URI that native apps have. */
const native = {
  client_id: "native",
  environment: "development",
  type: "native",
  redirect_uris: [
    "http://127.0.0.1/cb",
    "http://[::1]/cb",
    "http://localhost/callback",
    "com.example.app:/cb",
    "http://127.0.0.1",
  ],
  grant_types: CODE_AND_REFRESH,
  scopes: API,
} as const satisfies FixtureClient;

const service = {
  client_id: "service",
  environment: "production",
  type: "service",
  client_secret: secretOf("service"),
  grant_types: ["client_credentials"],
  scopes: ["api:read", "api:write"],
} as const satisfies FixtureClient;

/** May introspect any token meant for the API. */
const resourceServer = {
  ...service,
  client_id: "resource-server",
  client_secret: secretOf("resource-server"),
  resource_server: true,
} as const satisfies FixtureClient;

const device = {
  client_id: "device",
  environment: "production",
  type: "device",
  grant_types: [DEVICE_CODE, "refresh_token"],
  scopes: API,
} as const satisfies FixtureClient;

const otherDevice = { ...device, client_id: "other-device" } as const satisfies FixtureClient;

/** Its authorization requests must be pushed. */
const pushing = {
  ...web,
  client_id: "pushing",
  client_secret: secretOf("pushing"),
  redirect_uris: ["https://pushing.example/cb"],
  require_pushed_requests: true,
} as const satisfies FixtureClient;

/** All its tokens are bound to a key, and its proofs need our nonces. */
const bound = {
  ...web,
  client_id: "bound",
  client_secret: secretOf("bound"),
  redirect_uris: ["https://bound.example/cb"],
  dpop_bound: true,
  dpop_nonce: true,
} as const satisfies FixtureClient;

/** First-party: no consent page, and the console's scopes. */
const firstParty = {
  ...web,
  client_id: "first-party",
  client_secret: secretOf("first-party"),
  redirect_uris: ["https://first-party.example/cb"],
  scopes: [
    ...API,
    "console:read",
    "console:write",
    ...WEBHOOK_SCOPES,
    "notes:read",
    "notes:write",
    "subscriptions:read",
  ],
  first_party: true,
} as const satisfies FixtureClient;

/** An API that exchanges the tokens it receives for ones with less access. */
const exchanger = {
  ...resourceServer,
  client_id: "exchanger",
  client_secret: secretOf("exchanger"),
  grant_types: ["client_credentials", TOKEN_EXCHANGE],
} as const satisfies FixtureClient;

/** Has its own lifetimes, and a refresh token that does not rotate. */
const keeping = {
  ...web,
  client_id: "keeping",
  client_secret: secretOf("keeping"),
  redirect_uris: ["https://keeping.example/cb"],
  rotate_refresh_tokens: false,
  access_token_seconds: 90,
} as const satisfies FixtureClient;

/** Two more APIs: one introspects its tokens, the other verifies JWTs. */
export const STOCK = {
  id: "https://stock.example",
  name: "Stock",
  scopes: { "stock:read": "see what is in stock", "stock:write": "change what is in stock" },
};
export const MAIL = {
  id: "https://mail.example/v1",
  name: "Mail",
  scopes: { "mail:send": "send mail in your name" },
  token_format: "jwt",
  token_algorithm: "ES256",
};

/** Can request tokens for both. */
const shopper = {
  ...web,
  client_id: "shopper",
  client_secret: secretOf("shopper"),
  redirect_uris: ["https://shopper.example/cb"],
  scopes: [...web.scopes, "stock:read", "stock:write", "mail:send"],
  resources: [STOCK.id, MAIL.id],
} as const satisfies FixtureClient;

/** The resource server of both APIs, but not of the built-in one. */
const stockServer = {
  ...service,
  client_id: "stock-server",
  client_secret: secretOf("stock-server"),
  resource_server: true,
  serves: [STOCK.id, MAIL.id],
} as const satisfies FixtureClient;

export const CLIENTS = {
  shopper,
  stockServer,
  web,
  quietWeb,
  otherWeb,
  strictWeb,
  localWeb,
  awkwardSecret,
  noCode,
  disabled,
  browser,
  localBrowser,
  native,
  service,
  resourceServer,
  device,
  otherDevice,
  pushing,
  bound,
  firstParty,
  exchanger,
  keeping,
};

/** One for each test of passkeys, so that they can change their accounts. */
const PASSKEY_USERS = [
  "one",
  "none",
  "forged",
  "other",
  "borrowed",
  "unverified",
  "counter",
  "synced",
  "many",
  "named",
  "removed",
  "disabled",
  "parallel",
  "script",
  "one-more",
  "one-else",
];

/** One user per test file, and one per role. */
const PEOPLE = [
  ...["admin", "developer", "viewer"].map((role) => ({ name: role, role })),
  ...[
    "authorize",
    "upstream-ada",
    "upstream-eve",
    "upstream-connect",
    "upstream-remove",
    "redirects",
    "sign-in",
    "locked",
    "consent",
    "token",
    "code",
    "refresh",
    "client",
    "bearer",
    "device",
    "revoke",
    "introspect",
    "trpc",
    "races",
    "par",
    "dpop",
    "account",
    "several-clients",
    "branding",
    "lifetimes",
    "exchange",
    "fuzz",
    "passport-oauth2",
    "simple-oauth2",
    "openid-client",
    "oauth4webapi",
    "browser",
    "single-page-app",
    "nextjs",
    "notes",
    "trpc-frontend",
    "resources",
    "sdk-api",
    "registration",
    "client-metadata",
    "private-key-jwt",
    "mcp",
    "metadata",
    "rules",
    "mcp-conformance",
    "languages",
    "account-pages",
    "environments",
    "email-sign-in",
    "guessed-code",
    "quick-start",
    "new-application",
    "both-mounts",
    "bombed",
    ...PASSKEY_USERS.map((name) => `passkey-${name}`),
  ].map((name) => ({ name, role: "user" })),
] as const;

export function emailOf(name: string): string {
  return `${name}@example.com`;
}

export const WEBHOOK_SECRETS = {
  stripe: "whsec_test_0123456789",
  stripePrevious: "whsec_test_previous_0123456789",
  standard: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  svix: "whsec_plJ3nmyCDGBKInavdOK15jsl0123456789ab",
  polar: "polar-plain-text-secret-0123456789",
  braintree: "bt_public:bt_private_0123456789",
  square: "square-signature-key-0123456789",
  github: "github-secret-0123456789",
  adyen: "44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056",
  shopify: "shpss_0123456789abcdef0123456789abcdef",
  warehouse: "warehouse-secret-0123456789",
};

/** The file that `gatehouse apply` reads. */
export function fixture(): object {
  return {
    resources: [STOCK, MAIL],
    users: PEOPLE.map(({ name, role }) => ({ email: emailOf(name), password: PASSWORD, name: `Test ${name}`, role })),
    applications: Object.values(CLIENTS).map(({ environment, ...client }) => ({
      name: `Application ${client.client_id}`,
      environments: { [environment]: client },
    })),
    webhooks: [
      { provider: "stripe", secrets: [WEBHOOK_SECRETS.stripe, WEBHOOK_SECRETS.stripePrevious] },
      { provider: "standard-webhooks", secrets: [WEBHOOK_SECRETS.standard] },
      { provider: "svix", secrets: [WEBHOOK_SECRETS.svix] },
      { provider: "polar", secrets: [WEBHOOK_SECRETS.polar] },
      { provider: "braintree", secrets: [WEBHOOK_SECRETS.braintree] },
      { provider: "square", secrets: [WEBHOOK_SECRETS.square] },
      { provider: "github", secrets: [WEBHOOK_SECRETS.github] },
      { provider: "adyen", secrets: [WEBHOOK_SECRETS.adyen] },
      { provider: "shopify", secrets: [WEBHOOK_SECRETS.shopify] },
      {
        provider: "custom",
        endpoint: "warehouse",
        environment: "staging",
        settings: {
          header: "X-Signature",
          template: "{timestamp}.{url}.{body}",
          prefix: "sha256=",
          timestampHeader: "X-Timestamp",
          toleranceSeconds: 60,
          idPath: "id",
          typePath: "type",
        },
        secrets: [WEBHOOK_SECRETS.warehouse],
      },
    ],
  };
}
