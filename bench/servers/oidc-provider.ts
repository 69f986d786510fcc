// node-oidc-provider as a team runs it for its own API: opaque tokens, refresh tokens rotated at each use.

import { generateKeyPairSync, randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import Provider, { type Configuration } from "oidc-provider";
import { API_SCOPE, CHALLENGE, HOUR_SECONDS, SERVICE, USER, WEB, WEB_SCOPE } from "../fixture.ts";
import { sqliteAdapter } from "./oidc-adapter.ts";
import { bearerOf, databaseFile, sendJson, serve } from "./serve.ts";
import { openSqlite } from "./sqlite.ts";

const db = openSqlite(databaseFile);
const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });

const configuration: Configuration = {
  adapter: sqliteAdapter(db),
  clients: [
    {
      client_id: SERVICE.id,
      client_secret: SERVICE.secret,
      grant_types: ["client_credentials"],
      redirect_uris: [],
      response_types: [],
      scope: API_SCOPE,
    },
    {
      client_id: WEB.id,
      client_secret: WEB.secret,
      grant_types: ["authorization_code", "refresh_token"],
      redirect_uris: [WEB.redirectUri],
      scope: WEB_SCOPE,
    },
  ],
  clientDefaults: { id_token_signed_response_alg: "ES256" },
  scopes: ["openid", "offline_access", API_SCOPE],
  features: {
    clientCredentials: { enabled: true },
    introspection: { enabled: true },
    revocation: { enabled: true },
    devInteractions: { enabled: false },
  },
  findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ sub, email: USER.email }) }),
  rotateRefreshToken: true,
  issueRefreshToken: (_ctx, client, code) =>
    client.grantTypeAllowed("refresh_token") && code.scopes.has("offline_access"),
  expiresWithSession: () => false,
  ttl: {
    AccessToken: 600,
    ClientCredentials: 600,
    AuthorizationCode: HOUR_SECONDS,
    RefreshToken: 14 * 86_400,
    Grant: 14 * 86_400,
  },
  jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), use: "sig", alg: "ES256", kid: "bench" }] },
  cookies: { keys: [randomBytes(32).toString("base64url")] },
};

const provider = new Provider("http://127.0.0.1", configuration);
const handle = provider.callback();

/** The team's own API in the same process, guarded by the provider's token model. */
async function resource(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const value = bearerOf(incoming);
  const token = value === undefined ? undefined : await provider.ClientCredentials.find(value);
  if (token?.isValid && token.scope?.split(" ").includes(API_SCOPE))
    sendJson(outgoing, 200, { client_id: token.clientId, scope: token.scope });
  else sendJson(outgoing, 401, { error: "invalid_token" }, { "WWW-Authenticate": "Bearer" });
}

async function found(id: string) {
  const client = await provider.Client.find(id);
  if (!client) throw new Error(`${id} is not registered`);
  return client;
}

async function many(count: number, one: () => Promise<string>): Promise<string[]> {
  db.exec("BEGIN");
  const values: string[] = [];
  for (let index = 0; index < count; index++) values.push(await one());
  db.exec("COMMIT");
  return values;
}

async function grantOf(client: Awaited<ReturnType<typeof found>>): Promise<string> {
  const grant = new provider.Grant({ accountId: "ada", clientId: client.clientId });
  grant.addOIDCScope(WEB_SCOPE);
  return grant.save();
}

serve(
  (incoming, outgoing) => {
    if (incoming.url === "/resource") void resource(incoming, outgoing);
    else void handle(incoming, outgoing);
  },
  {
    async code(count) {
      const client = await found(WEB.id);
      return many(count, async () => {
        const code = new provider.AuthorizationCode({
          accountId: "ada",
          client,
          grantId: await grantOf(client),
          redirectUri: WEB.redirectUri,
          codeChallenge: CHALLENGE,
          codeChallengeMethod: "S256",
          scope: WEB_SCOPE,
          gty: "authorization_code",
        });
        return code.save();
      });
    },
    async accessToken(count) {
      const client = await found(SERVICE.id);
      return many(count, () =>
        new provider.ClientCredentials({ client, scope: API_SCOPE, expiresIn: HOUR_SECONDS } as never).save(),
      );
    },
    async refreshToken(count) {
      const client = await found(WEB.id);
      return many(count, async () => {
        const grantId = await grantOf(client);
        const token = new provider.RefreshToken({
          accountId: "ada",
          client,
          grantId,
          scope: WEB_SCOPE,
          gty: "authorization_code",
          rotations: 0,
        } as never);
        return token.save();
      });
    },
  },
);
