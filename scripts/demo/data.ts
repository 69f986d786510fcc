// Who and what the demo has. Its history is in history.ts.

/** Signs in to the console. */
export const ADA = { email: "ada@example.com", password: "look around the demo", name: "Ada Lovelace", role: "admin" };
/** Of everybody else, who signs in to the applications alone. */
export const PASSWORD = "only for the demo of Gatehouse";

/** Colleagues and customers. */
export const PEOPLE = [
  { name: "Grace Hopper", email: "grace@example.com", role: "developer" },
  { name: "Katherine Johnson", email: "katherine@example.com", role: "viewer" },
  { name: "محمد الخوارزمي", email: "muhammad@example.org", role: "user" },
  { name: "Emmy Noether", email: "emmy@example.net", role: "user" },
  { name: "Srinivasa Ramanujan", email: "srinivasa@example.in", role: "user" },
  { name: "Sofja Kowalewskaja", email: "sofja@example.se", role: "user" },
  { name: "Mary Somerville", email: "mary@example.co.uk", role: "user" },
  { name: "Chien-Shiung Wu", email: "wu@example.edu", role: "user" },
];

const secretOf = (clientId: string) => `only-for-the-demo-${clientId}-0123456789-0123456789`;
const SIGN_IN = ["openid", "profile", "email", "offline_access", "api:read"];

export const SHOP = {
  client_id: "demo-shop",
  type: "web",
  client_secret: secretOf("demo-shop"),
  redirect_uris: ["https://shop.example.com/auth/callback"],
  post_logout_redirect_uris: ["https://shop.example.com/"],
  grant_types: ["authorization_code", "refresh_token"],
  scopes: SIGN_IN,
};
export const SHOP_STAGING = {
  ...SHOP,
  client_id: "demo-shop-staging",
  client_secret: secretOf("demo-shop-staging"),
  redirect_uris: ["https://staging.shop.example.com/auth/callback"],
  post_logout_redirect_uris: [],
};
const SHOP_DEVELOPMENT = {
  ...SHOP,
  client_id: "demo-shop-dev",
  client_secret: secretOf("demo-shop-dev"),
  redirect_uris: ["http://localhost:4000/auth/callback"],
  post_logout_redirect_uris: [],
};
export const WAREHOUSE = {
  client_id: "warehouse",
  type: "service",
  client_secret: secretOf("warehouse"),
  scopes: ["api:read", "api:write"],
};
export const WAREHOUSE_STAGING = {
  ...WAREHOUSE,
  client_id: "warehouse-staging",
  client_secret: secretOf("warehouse-staging"),
};
export const MOBILE = {
  client_id: "mobile-app",
  type: "native",
  redirect_uris: ["com.example.shop:/callback"],
  grant_types: ["authorization_code", "refresh_token"],
  scopes: SIGN_IN,
};
const MOBILE_STAGING = {
  ...MOBILE,
  client_id: "mobile-app-staging",
  redirect_uris: ["com.example.shop.staging:/callback"],
};

export type Client = { client_id: string; client_secret?: string; redirect_uris?: readonly string[] };

export const STRIPE_SECRET = "whsec_demo_0123456789";
export const NEW_STRIPE_SECRET = "whsec_demo_rotated_0123456789";
export const STAGING_STRIPE_SECRET = "whsec_demo_staging_0123456789";
export const GITHUB_SECRET = "only-for-the-demo-github-0123456789";

/** What `gatehouse apply` reads, by the number of days ago. */
export const FILES: Readonly<Record<number, object>> = {
  14: {
    users: [ADA, ...PEOPLE.map((person) => ({ ...person, password: PASSWORD }))],
    applications: [
      {
        name: "Demo shop",
        environments: { development: SHOP_DEVELOPMENT, staging: SHOP_STAGING, production: SHOP },
      },
      { name: "Warehouse", environments: { staging: WAREHOUSE_STAGING, production: WAREHOUSE } },
    ],
    webhooks: [
      { provider: "stripe", secrets: [STRIPE_SECRET] },
      { provider: "stripe", endpoint: "stripe-staging", environment: "staging", secrets: [STAGING_STRIPE_SECRET] },
    ],
  },
  11: {
    applications: [{ name: "Mobile app", environments: { staging: MOBILE_STAGING, production: MOBILE } }],
    webhooks: [{ provider: "github", secrets: [GITHUB_SECRET] }],
  },
};
