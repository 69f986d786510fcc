// better-auth with its OAuth provider, on plain node:http with its own adapter; opaque tokens, no rate limit, no
// telemetry.
import { createHash, randomBytes } from "node:crypto";
import { type OAuthOptions, oauthProvider } from "@better-auth/oauth-provider";
import { betterAuth } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import { toNodeHandler } from "better-auth/node";
import { jwt } from "better-auth/plugins";
import { API_SCOPE, CHALLENGE, HOUR_SECONDS, SERVICE, USER, WEB, WEB_SCOPE } from "../fixture.ts";
import { databaseFile, serve } from "./serve.ts";
import { openSqlite } from "./sqlite.ts";

const db = openSqlite(databaseFile);
const provider: OAuthOptions<string[]> = {
  loginPage: "/sign-in",
  consentPage: "/consent",
  scopes: ["offline_access", API_SCOPE],
  storeClientSecret: "hashed",
  storeTokens: "hashed",
};
const auth = betterAuth({
  baseURL: "http://127.0.0.1",
  secret: randomBytes(32).toString("base64url"),
  database: db,
  emailAndPassword: { enabled: true },
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  logger: { level: "error" },
  // Its types do not accept its own plugin with exactOptionalPropertyTypes.
  plugins: [jwt(), oauthProvider(provider) as never],
});

await (await getMigrations(auth.options)).runMigrations();
// Indexes that its schema leaves to the operator: the columns of its hot queries.
for (const [table, column] of [
  ["oauthAccessToken", "token"],
  ["oauthRefreshToken", "token"],
  ["oauthClient", "clientId"],
  ["verification", "identifier"],
])
  db.exec(`CREATE INDEX IF NOT EXISTS "bench_${table}_${column}" ON "${table}" ("${column}")`);

const { adapter } = await auth.$context;
const sha256 = (text: string) => createHash("sha256").update(text).digest("base64url");
const secret = () => randomBytes(32).toString("base64url");
const now = new Date();
const later = () => new Date(Date.now() + HOUR_SECONDS * 1000);

const user = await adapter.create({
  model: "user",
  data: { email: USER.email, name: USER.name, emailVerified: true, createdAt: now, updatedAt: now },
});
const session = await adapter.create({
  model: "session",
  data: { userId: user["id"], token: secret(), expiresAt: later(), createdAt: now, updatedAt: now },
});
const client = {
  disabled: false,
  createdAt: now,
  updatedAt: now,
  tokenEndpointAuthMethod: "client_secret_basic",
  public: false,
};
await adapter.create({
  model: "oauthClient",
  data: {
    ...client,
    clientId: SERVICE.id,
    clientSecret: sha256(SERVICE.secret),
    redirectUris: [],
    scopes: [API_SCOPE],
    clientCredentialsScopes: [API_SCOPE],
    grantTypes: ["client_credentials"],
  },
});
await adapter.create({
  model: "oauthClient",
  data: {
    ...client,
    clientId: WEB.id,
    clientSecret: sha256(WEB.secret),
    redirectUris: [WEB.redirectUri],
    scopes: WEB_SCOPE.split(" "),
    grantTypes: ["authorization_code", "refresh_token"],
  },
});

const CODE = {
  type: "authorization_code",
  query: {
    response_type: "code",
    client_id: WEB.id,
    redirect_uri: WEB.redirectUri,
    scope: WEB_SCOPE,
    code_challenge: CHALLENGE,
    code_challenge_method: "S256",
  },
  sessionId: session["id"],
  userId: user["id"],
};

async function many(count: number, one: (value: string) => Promise<unknown>): Promise<string[]> {
  const values = Array.from({ length: count }, secret);
  db.exec("BEGIN");
  for (const value of values) await one(value);
  db.exec("COMMIT");
  return values;
}

serve(toNodeHandler(auth), {
  code: (count) =>
    many(count, (code) =>
      adapter.create({
        model: "verification",
        data: {
          identifier: sha256(code),
          value: JSON.stringify(CODE),
          expiresAt: later(),
          createdAt: now,
          updatedAt: now,
        },
      }),
    ),
  accessToken: (count) =>
    many(count, (token) =>
      adapter.create({
        model: "oauthAccessToken",
        data: { token: sha256(token), clientId: SERVICE.id, scopes: [API_SCOPE], createdAt: now, expiresAt: later() },
      }),
    ),
  refreshToken: (count) =>
    many(count, (token) =>
      adapter.create({
        model: "oauthRefreshToken",
        data: {
          token: sha256(token),
          clientId: WEB.id,
          userId: user["id"],
          sessionId: session["id"],
          scopes: WEB_SCOPE.split(" "),
          createdAt: now,
          expiresAt: later(),
        },
      }),
    ),
});
