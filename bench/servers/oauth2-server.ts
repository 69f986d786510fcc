// @node-oauth/oauth2-server: the protocol only. The model below is what a team writes for it, with hashed secrets.
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import OAuth2Server from "@node-oauth/oauth2-server";
import { API_SCOPE, CHALLENGE, HOUR_SECONDS, SERVICE, USER, WEB, WEB_SCOPE } from "../fixture.ts";
import { databaseFile, readBody, sendJson, serve } from "./serve.ts";
import { openSqlite } from "./sqlite.ts";

const db = openSqlite(databaseFile);
db.exec(`
  CREATE TABLE clients (id TEXT PRIMARY KEY, secret_hash TEXT NOT NULL, grants TEXT NOT NULL, redirect_uris TEXT NOT NULL);
  CREATE TABLE codes (hash TEXT PRIMARY KEY, client_id TEXT NOT NULL, user_id TEXT NOT NULL, redirect_uri TEXT NOT NULL,
    challenge TEXT NOT NULL, scope TEXT NOT NULL, expires_at INTEGER NOT NULL);
  CREATE INDEX codes_expires_at ON codes (expires_at);
  CREATE TABLE access_tokens (hash TEXT PRIMARY KEY, client_id TEXT NOT NULL, user_id TEXT NOT NULL, scope TEXT NOT NULL, expires_at INTEGER NOT NULL);
  CREATE INDEX access_tokens_expires_at ON access_tokens (expires_at);
  CREATE TABLE refresh_tokens (hash TEXT PRIMARY KEY, client_id TEXT NOT NULL, user_id TEXT NOT NULL, scope TEXT NOT NULL, expires_at INTEGER NOT NULL);
  CREATE INDEX refresh_tokens_expires_at ON refresh_tokens (expires_at);
`);

const sha256 = (text: string) => createHash("sha256").update(text).digest("base64url");
type Kept = { client_id: string; user_id: string; scope: string; expires_at: number };
const findClient = db.prepare<[string], { id: string; secret_hash: string; grants: string; redirect_uris: string }>(
  "SELECT * FROM clients WHERE id = ?",
);
const insertCode = db.prepare("INSERT INTO codes VALUES (?, ?, ?, ?, ?, ?, ?)");
const findCode = db.prepare<[string], Kept & { redirect_uri: string; challenge: string }>(
  "SELECT * FROM codes WHERE hash = ?",
);
const deleteCode = db.prepare("DELETE FROM codes WHERE hash = ?");
const insertAccess = db.prepare("INSERT INTO access_tokens VALUES (?, ?, ?, ?, ?)");
const findAccess = db.prepare<[string], Kept>("SELECT * FROM access_tokens WHERE hash = ?");
const insertRefresh = db.prepare("INSERT INTO refresh_tokens VALUES (?, ?, ?, ?, ?)");
const findRefresh = db.prepare<[string], Kept>("SELECT * FROM refresh_tokens WHERE hash = ?");
const deleteRefresh = db.prepare("DELETE FROM refresh_tokens WHERE hash = ?");

const addClient = db.prepare("INSERT INTO clients VALUES (?, ?, ?, ?)");
addClient.run(SERVICE.id, sha256(SERVICE.secret), "client_credentials", "");
addClient.run(WEB.id, sha256(WEB.secret), "authorization_code refresh_token", WEB.redirectUri);

const seconds = (date: Date | undefined) => Math.floor((date?.getTime() ?? 0) / 1000);
const dateOf = (time: number) => new Date(time * 1000);

function clientOf(id: string): OAuth2Server.Client | false {
  const row = findClient.get(id);
  return row ? { id, grants: row.grants.split(" "), redirectUris: row.redirect_uris.split(" ") } : false;
}

/** The owner columns of every stored token. */
function ownerOf({ client_id, user_id, scope }: Kept) {
  const client = clientOf(client_id);
  return client && { client, user: { id: user_id }, scope: scope.split(" ") };
}

const saveBoth = db.transaction((token: OAuth2Server.Token, clientId: string, userId: string) => {
  const scope = (token.scope ?? []).join(" ");
  insertAccess.run(sha256(token.accessToken), clientId, userId, scope, seconds(token.accessTokenExpiresAt));
  if (token.refreshToken)
    insertRefresh.run(sha256(token.refreshToken), clientId, userId, scope, seconds(token.refreshTokenExpiresAt));
});

const model: OAuth2Server.AuthorizationCodeModel &
  OAuth2Server.ClientCredentialsModel &
  OAuth2Server.RefreshTokenModel = {
  async getClient(id, secret) {
    const row = findClient.get(id);
    const proven = row && timingSafeEqual(Buffer.from(row.secret_hash), Buffer.from(sha256(secret ?? "")));
    return proven ? clientOf(id) : false;
  },
  getUserFromClient: async ({ id }) => ({ id }),
  validateScope: async (_user, client, scope) =>
    scope ?? (client.id === SERVICE.id ? [API_SCOPE] : WEB_SCOPE.split(" ")),
  async saveToken(token, client, user) {
    saveBoth.immediate(token, client.id, String(user["id"]));
    return { ...token, client, user };
  },
  async getAccessToken(accessToken) {
    const kept = findAccess.get(sha256(accessToken));
    const owner = kept && ownerOf(kept);
    return owner && { accessToken, accessTokenExpiresAt: dateOf(kept.expires_at), ...owner };
  },
  async getAuthorizationCode(authorizationCode) {
    const kept = findCode.get(sha256(authorizationCode));
    const owner = kept && ownerOf(kept);
    if (!owner) return false;
    const proof = { codeChallenge: kept.challenge, codeChallengeMethod: "S256", redirectUri: kept.redirect_uri };
    return { authorizationCode, expiresAt: dateOf(kept.expires_at), ...proof, ...owner };
  },
  saveAuthorizationCode: async (code, client, user) => ({ ...code, client, user }),
  revokeAuthorizationCode: async ({ authorizationCode }) => deleteCode.run(sha256(authorizationCode)).changes === 1,
  async getRefreshToken(refreshToken) {
    const kept = findRefresh.get(sha256(refreshToken));
    const owner = kept && ownerOf(kept);
    return owner && { refreshToken, refreshTokenExpiresAt: dateOf(kept.expires_at), ...owner };
  },
  revokeToken: async ({ refreshToken }) => deleteRefresh.run(sha256(refreshToken)).changes === 1,
};

const server = new OAuth2Server({ model });

async function token(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const body = Object.fromEntries(new URLSearchParams((await readBody(incoming)).toString()));
  const request = new OAuth2Server.Request({
    method: "POST",
    headers: incoming.headers as Record<string, string>,
    query: {},
    body,
  });
  const response = new OAuth2Server.Response({});
  const { status, body: answer } = await server.token(request, response).then(
    () => ({ status: response.status ?? 200, body: response.body }),
    (error: OAuth2Server.OAuthError) => ({
      status: error.code,
      body: { error: error.name, error_description: error.message },
    }),
  );
  sendJson(outgoing, status, answer, response.headers);
}

async function resource(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const request = new OAuth2Server.Request({
    method: "GET",
    headers: incoming.headers as Record<string, string>,
    query: {},
    body: {},
  });
  const response = new OAuth2Server.Response({});
  await server.authenticate(request, response).then(
    ({ client, scope }) => sendJson(outgoing, 200, { client_id: client.id, scope: scope?.join(" ") }),
    (error: OAuth2Server.OAuthError) => sendJson(outgoing, error.code, { error: error.name }, response.headers),
  );
}

const soon = () => Math.floor(Date.now() / 1000) + HOUR_SECONDS;
const secret = () => randomBytes(32).toString("base64url");
const minted = (count: number, one: () => string) => db.transaction(() => Array.from({ length: count }, one))();

serve((incoming, outgoing) => void (incoming.url === "/token" ? token : resource)(incoming, outgoing), {
  code: (count) =>
    minted(count, () => {
      const code = secret();
      insertCode.run(sha256(code), WEB.id, USER.email, WEB.redirectUri, CHALLENGE, WEB_SCOPE, soon());
      return code;
    }),
  accessToken: (count) =>
    minted(count, () => {
      const value = secret();
      insertAccess.run(sha256(value), SERVICE.id, SERVICE.id, API_SCOPE, soon());
      return value;
    }),
  refreshToken: (count) =>
    minted(count, () => {
      const value = secret();
      insertRefresh.run(sha256(value), WEB.id, USER.email, WEB_SCOPE, soon());
      return value;
    }),
});
