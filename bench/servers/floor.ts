// The floor: the cost of the work itself. Plain node:http, prepared statements, hashes, one commit for
// each request. It makes the checks that the result depends on, and nothing else that a product needs.
import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { API_SCOPE, CHALLENGE, HOUR_SECONDS, SERVICE, STRIPE_SECRET, USER, WEB, WEB_SCOPE } from "../fixture.ts";
import { bearerOf, databaseFile, readBody, sendJson, serve } from "./serve.ts";
import { openSqlite } from "./sqlite.ts";

const db = openSqlite(databaseFile);
db.exec(`
  CREATE TABLE clients (id TEXT PRIMARY KEY, secret_hash TEXT NOT NULL, scope TEXT NOT NULL, enabled INTEGER NOT NULL);
  CREATE TABLE grants (id TEXT PRIMARY KEY, client_id TEXT NOT NULL, user_id TEXT NOT NULL, revoked_at INTEGER);
  CREATE TABLE codes (hash TEXT PRIMARY KEY, grant_id TEXT NOT NULL, client_id TEXT NOT NULL, redirect_uri TEXT NOT NULL,
    challenge TEXT NOT NULL, scope TEXT NOT NULL, expires_at INTEGER NOT NULL, redeemed_at INTEGER);
  CREATE INDEX codes_expires_at ON codes (expires_at);
  CREATE TABLE access_tokens (hash TEXT PRIMARY KEY, grant_id TEXT, client_id TEXT NOT NULL, scope TEXT NOT NULL, expires_at INTEGER NOT NULL);
  CREATE INDEX access_tokens_expires_at ON access_tokens (expires_at);
  CREATE TABLE refresh_tokens (hash TEXT PRIMARY KEY, grant_id TEXT NOT NULL, client_id TEXT NOT NULL, scope TEXT NOT NULL,
    expires_at INTEGER NOT NULL, rotated_at INTEGER);
  CREATE INDEX refresh_tokens_expires_at ON refresh_tokens (expires_at);
  CREATE TABLE events (id TEXT PRIMARY KEY, type TEXT NOT NULL, received_at INTEGER NOT NULL, body BLOB NOT NULL);
  CREATE INDEX events_received_at ON events (received_at);
`);

const findClient = db.prepare<[string], { secret_hash: string; enabled: number }>("SELECT * FROM clients WHERE id = ?");
const insertGrant = db.prepare("INSERT INTO grants VALUES (?, ?, ?, NULL)");
const insertCode = db.prepare("INSERT INTO codes VALUES (?, ?, ?, ?, ?, ?, ?, NULL)");
const insertAccess = db.prepare("INSERT INTO access_tokens VALUES (?, ?, ?, ?, ?)");
const insertRefresh = db.prepare("INSERT INTO refresh_tokens VALUES (?, ?, ?, ?, ?, NULL)");
const insertEvent = db.prepare("INSERT INTO events VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING");
type Code = { grant_id: string; redirect_uri: string; challenge: string; scope: string };
const findCode = db.prepare<[string, string, number], Code>(
  "SELECT c.* FROM codes c JOIN grants g ON g.id = c.grant_id WHERE hash = ? AND c.client_id = ? AND expires_at > ? AND g.revoked_at IS NULL",
);
const redeem = db.prepare("UPDATE codes SET redeemed_at = ? WHERE hash = ? AND redeemed_at IS NULL");
const findRefresh = db.prepare<[string, string, number], { grant_id: string; scope: string }>(
  "SELECT t.* FROM refresh_tokens t JOIN grants g ON g.id = t.grant_id WHERE hash = ? AND t.client_id = ? AND expires_at > ? AND g.revoked_at IS NULL",
);
const rotate = db.prepare("UPDATE refresh_tokens SET rotated_at = ? WHERE hash = ? AND rotated_at IS NULL");
const findAccess = db.prepare<[string, number], { client_id: string; scope: string; expires_at: number }>(
  `SELECT t.* FROM access_tokens t JOIN clients c ON c.id = t.client_id LEFT JOIN grants g ON g.id = t.grant_id
   WHERE t.hash = ? AND t.expires_at > ? AND c.enabled = 1 AND g.revoked_at IS NULL`,
);

const sha256 = (text: string) => createHash("sha256").update(text).digest("base64url");
const secret = () => randomBytes(32).toString("base64url");
const now = () => Math.floor(Date.now() / 1000);
const same = (a: string, b: string) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

db.prepare("INSERT INTO clients VALUES (?, ?, ?, 1)").run(SERVICE.id, sha256(SERVICE.secret), API_SCOPE);
db.prepare("INSERT INTO clients VALUES (?, ?, ?, 1)").run(WEB.id, sha256(WEB.secret), WEB_SCOPE);

function authenticate(incoming: IncomingMessage): string | undefined {
  const pair = Buffer.from((incoming.headers.authorization ?? "").slice("Basic ".length), "base64").toString();
  const [id = "", given = ""] = pair.split(":");
  const client = findClient.get(id);
  return client?.enabled && same(client.secret_hash, sha256(given)) ? id : undefined;
}

function issue(clientId: string, scope: string, grantId: string | null) {
  const access_token = secret();
  insertAccess.run(sha256(access_token), grantId, clientId, scope, now() + HOUR_SECONDS);
  const answer = { access_token, token_type: "Bearer", expires_in: HOUR_SECONDS, scope };
  if (grantId === null) return answer;
  const refresh_token = secret();
  insertRefresh.run(sha256(refresh_token), grantId, clientId, scope, now() + HOUR_SECONDS);
  return { ...answer, refresh_token };
}

const GRANTS: Record<string, (form: URLSearchParams, clientId: string) => object | undefined> = {
  client_credentials: (_form, clientId) => issue(clientId, API_SCOPE, null),
  authorization_code(form, clientId) {
    const hash = sha256(form.get("code") ?? "");
    const code = findCode.get(hash, clientId, now());
    if (!code || code.redirect_uri !== form.get("redirect_uri")) return undefined;
    if (!same(code.challenge, sha256(form.get("code_verifier") ?? ""))) return undefined;
    return redeem.run(now(), hash).changes === 1 ? issue(clientId, code.scope, code.grant_id) : undefined;
  },
  refresh_token(form, clientId) {
    const hash = sha256(form.get("refresh_token") ?? "");
    const token = findRefresh.get(hash, clientId, now());
    return token && rotate.run(now(), hash).changes === 1 ? issue(clientId, token.scope, token.grant_id) : undefined;
  },
};

const oneCommit = db.transaction((form: URLSearchParams, clientId: string) =>
  GRANTS[form.get("grant_type") ?? ""]?.(form, clientId),
);

async function token(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const form = new URLSearchParams((await readBody(incoming)).toString());
  const clientId = authenticate(incoming);
  if (!clientId) return sendJson(outgoing, 401, { error: "invalid_client" });
  const answer = oneCommit.immediate(form, clientId);
  return sendJson(outgoing, answer ? 200 : 400, answer ?? { error: "invalid_grant" }, { "Cache-Control": "no-store" });
}

async function introspect(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const form = new URLSearchParams((await readBody(incoming)).toString());
  if (!authenticate(incoming)) return sendJson(outgoing, 401, { error: "invalid_client" });
  const found = findAccess.get(sha256(form.get("token") ?? ""), now());
  return sendJson(
    outgoing,
    200,
    found ? { active: true, client_id: found.client_id, scope: found.scope, exp: found.expires_at } : { active: false },
  );
}

function resource(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const found = findAccess.get(sha256(bearerOf(incoming) ?? ""), now());
  if (found?.scope.split(" ").includes(API_SCOPE))
    sendJson(outgoing, 200, { client_id: found.client_id, scope: found.scope });
  else sendJson(outgoing, 401, { error: "invalid_token" }, { "WWW-Authenticate": "Bearer" });
}

async function webhook(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const body = await readBody(incoming);
  const [, time = "", given = ""] =
    /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(incoming.headers["stripe-signature"])) ?? [];
  const wanted = createHmac("sha256", STRIPE_SECRET).update(`${time}.`).update(body).digest("hex");
  if (!same(wanted, given) || Math.abs(now() - Number(time)) > 300)
    return sendJson(outgoing, 400, { error: "signature_mismatch" });
  const event: { id: string; type: string } = JSON.parse(body.toString());
  insertEvent.run(event.id, event.type, now(), body);
  return sendJson(outgoing, 200, { received: true });
}

const METADATA = {
  issuer: "http://127.0.0.1",
  token_endpoint: "http://127.0.0.1/token",
  scopes_supported: [API_SCOPE],
};

const ROUTES: Record<string, (incoming: IncomingMessage, outgoing: ServerResponse) => void | Promise<void>> = {
  "/token": token,
  "/introspect": introspect,
  "/resource": resource,
  "/webhook": webhook,
  "/protected": (_incoming, outgoing) => sendJson(outgoing, 401, { error: "unauthenticated" }),
  "/metadata": (_incoming, outgoing) => sendJson(outgoing, 200, METADATA),
  "/noop": (_incoming, outgoing) => sendJson(outgoing, 200, { ok: true }),
};

/** The requested number, in one transaction. */
const minted = (count: number, one: () => string) => db.transaction(() => Array.from({ length: count }, one))();

function mintGrant(): string {
  const id = secret();
  insertGrant.run(id, WEB.id, USER.email);
  return id;
}

serve(
  (incoming, outgoing) => {
    const route = ROUTES[incoming.url ?? ""];
    if (!route) return sendJson(outgoing, 404, { error: "not_found" });
    return void route(incoming, outgoing);
  },
  {
    code: (count) =>
      minted(count, () => {
        const code = secret();
        insertCode.run(sha256(code), mintGrant(), WEB.id, WEB.redirectUri, CHALLENGE, WEB_SCOPE, now() + HOUR_SECONDS);
        return code;
      }),
    accessToken: (count) => minted(count, () => issue(SERVICE.id, API_SCOPE, null).access_token),
    refreshToken: (count) =>
      minted(count, () => {
        const token = secret();
        insertRefresh.run(sha256(token), mintGrant(), WEB.id, WEB_SCOPE, now() + HOUR_SECONDS);
        return token;
      }),
  },
);
