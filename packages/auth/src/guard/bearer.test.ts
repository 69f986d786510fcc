import { describe, expect, test } from "vitest";
import { mintAccessToken, storageHash } from "../crypto/secret.ts";
import type { AccessToken } from "../store/access-tokens.ts";
import { NOON, read, registerResources, type Scene, STOCK, scene } from "../testing/index.ts";
import { type BearerDemand, requireBearer } from "./bearer.ts";

const METADATA = 'resource_metadata="https://gate.example/.well-known/oauth-protected-resource/api"';
const PLAIN = `Bearer realm="gatehouse", scope="api:read", ${METADATA}, DPoP algs="RS256 ES256 EdDSA Ed25519"`;

async function plantToken(s: Scene, change: Partial<Omit<AccessToken, "hash">> = {}): Promise<string> {
  const { secret, hash } = mintAccessToken(NOON + 600, s.deps.random);
  await s.store.saveGrant({
    id: "grant",
    clientId: "shop-web",
    userId: s.user.id,
    scope: "api:read",
    sessionId: null,
    accessEpoch: 0,
    createdAt: NOON,
  });
  const token = {
    hash,
    id: "token id",
    grantId: "grant",
    clientId: "shop-web",
    clientEpoch: 0,
    userId: s.user.id,
    scope: "api:read",
    context: null,
    audience: "https://gate.example/api",
    environment: "production" as const,
    issuedAt: NOON,
    expiresAt: NOON + 600,
    ...change,
  };
  await s.store.saveAccessToken(token);
  if (change.revokedAt !== undefined) await s.store.revokeAccessToken(hash, NOON);
  return secret;
}

async function knock(
  s: Scene,
  init: RequestInit & { url?: string } = {},
  demand: BearerDemand = { scope: "api:read" },
) {
  const result = await requireBearer(
    new Request(init.url ?? "https://gate.example/api/resource", init),
    demand,
    s.deps,
    s.caller,
  );
  if (result.ok) return { status: 200, token: result.token, challenge: null, body: {}, headers: new Headers() };
  const answer = await read(result.response);
  return { ...answer, token: undefined, challenge: answer.headers.get("www-authenticate") };
}
const withToken = (token: string, scheme = "Bearer") => ({ headers: { authorization: `${scheme} ${token}` } });

describe("bearer guard, OAuth 2.1 §5", () => {
  test.each(["Bearer", "bearer", "BEARER", "bEaReR"])(
    "BR-01: accepts a valid token with the scheme written %s",
    async (scheme) => {
      const s = scene();
      const opened = await knock(s, withToken(await plantToken(s), scheme));
      expect(opened.token).toMatchObject({
        clientId: "shop-web",
        userId: "user-ada",
        scope: "api:read",
        user: { email: "ada@example.com" },
      });
    },
  );

  test("BR-02: a token in the URL besides a valid header is ignored", async () => {
    const s = scene();
    const url = "https://gate.example/api/resource?access_token=other";
    expect((await knock(s, { url, ...withToken(await plantToken(s)) })).status).toBe(200);
  });

  test.each<[string, (token: string) => RequestInit & { url?: string }]>([
    ["BR-04 nothing", () => ({})],
    [
      "BR-02 CF-09 a good token in the URL",
      (token) => ({ url: `https://gate.example/api/resource?access_token=${token}` }),
    ],
    [
      "BR-03 a good token in the body",
      (token) => ({ method: "POST", body: new URLSearchParams({ access_token: token }) }),
    ],
    ["BR-13 a session cookie", () => ({ headers: { cookie: "__Host-gatehouse_session=gse_x" } })],
    ["BR-07 the scheme without a token", () => ({ headers: { authorization: "Bearer" } })],
    ["another scheme", () => ({ headers: { authorization: "Basic c2hvcDp4" } })],
    [
      "SD-02 a header that once skipped middleware",
      () => ({ headers: { "x-middleware-subrequest": "middleware:middleware" } }),
    ],
  ])("N36 MC-09: %s is 401 with a challenge that names no error", async (_, init) => {
    const s = scene();
    const answer = await knock(s, init(await plantToken(s)));
    expect(answer.status).toBe(401);
    expect(answer.challenge).toBe(PLAIN);
    expect(s.tables.refusals).toEqual([]);
  });

  test.each<[string, string, (s: Scene) => Promise<string> | string]>([
    ["garbage", "token_unknown", () => "garbage"],
    ["something that is no token at all", "token_malformed", () => "two words"],
    ["an unknown token", "token_unknown", () => "gat_unknown"],
    ["BR-10 a refresh token", "token_unknown", () => "grt_abc"],
    ["a JWT without a signature", "token_unknown", () => "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZGEifQ."],
    ["an expired token", "token_expired", (s) => plantToken(s, { expiresAt: NOON })],
    ["a revoked token", "token_revoked", (s) => plantToken(s, { revokedAt: NOON })],
    [
      "BR-10 RI-03 a token for another resource",
      "token_wrong_audience",
      (s) => plantToken(s, { audience: "https://other.example/api" }),
    ],
    [
      "a token whose grant was revoked",
      "grant_revoked",
      async (s) => {
        const token = await plantToken(s);
        await s.store.revokeGrant("grant", "test", NOON);
        return token;
      },
    ],
    [
      "a token of a client that was switched off",
      "client_disabled",
      async (s) => {
        s.changeClient("shop-web", { enabled: false });
        return plantToken(s);
      },
    ],
    [
      "a token of a user who was disabled",
      "user_disabled",
      async (s) => {
        s.tables.users.set(s.user.id, { ...s.user, disabledAt: NOON });
        return plantToken(s);
      },
    ],
  ])("BR-05 N37: %s is 401 invalid_token", async (_, cause, make) => {
    const s = scene();
    const answer = await knock(s, withToken(await make(s)));
    expect(answer.status).toBe(401);
    expect(answer.challenge).toMatch(
      /^Bearer realm="gatehouse", error="invalid_token", error_description="[^"\\]+", scope="api:read", /,
    );
    expect(answer.challenge).toContain(METADATA);
    expect(answer.body).toMatchObject({ error: "invalid_token", error_id: s.tables.refusals[0]?.errorId });
    expect(s.tables.refusals[0]).toMatchObject({ cause, endpoint: "/api/resource" });
  });

  test("BR-06 N38: insufficient scope is 403 and names every required scope", async () => {
    const s = scene();
    const answer = await knock(s, withToken(await plantToken(s)), { scope: ["api:read", "api:write"] });
    expect(answer.status).toBe(403);
    expect(answer.challenge).toBe(
      `Bearer realm="gatehouse", error="insufficient_scope", error_description="This requires the scope api:read api:write.", scope="api:read api:write", ${METADATA}`,
    );
    expect(s.tables.refusals[0]).toMatchObject({
      clientId: "shop-web",
      detail: { needed: "api:read api:write", held: "api:read" },
    });
  });

  test("BR-07 N38: two Authorization headers are 400 invalid_request, also when both are good", async () => {
    const s = scene();
    const token = await plantToken(s);
    const headers = new Headers(withToken(token).headers);
    headers.append("authorization", `Bearer ${token}`);
    const answer = await knock(s, { headers });
    expect(answer).toMatchObject({ status: 400, body: { error: "invalid_request" } });
    expect(answer.challenge).toContain('error="invalid_request"');
  });

  test("BR-09: a token may be four kilobytes long", async () => {
    const s = scene();
    const long = `gat_${"x".repeat(4096)}`;
    const row = {
      hash: storageHash(long),
      id: "long",
      grantId: null,
      clientId: "shop-worker",
      userId: null,
      scope: "api:read",
    };
    const rest = {
      clientEpoch: 0,
      context: null,
      audience: s.deps.config.resource,
      environment: "production" as const,
      issuedAt: NOON,
      expiresAt: NOON + 1,
    };
    await s.store.saveAccessToken({ ...row, ...rest });
    expect((await knock(s, withToken(long))).token).toMatchObject({ userId: null, user: null });
  });

  test("BR-09: a token is checked again on each request", async () => {
    const s = scene();
    const token = await plantToken(s);
    expect((await knock(s, withToken(token))).status).toBe(200);
    await s.store.revokeConnectedApp(s.user.id, "shop-web", NOON);
    expect((await knock(s, withToken(token))).status).toBe(401);
  });

  test("a required audience accepts only its own tokens", async () => {
    const s = scene();
    registerResources(s);
    const audience = STOCK.id;
    expect((await knock(s, withToken(await plantToken(s, { audience })), { scope: "api:read", audience })).status).toBe(
      200,
    );
    expect((await knock(s, withToken(await plantToken(s)), { scope: "api:read", audience })).status).toBe(401);
  });

  test("BR-08 BR-11 BR-12 BB-05: an error is JSON, uncached, readable from any origin, with each parameter once", async () => {
    const s = scene();
    const answer = await knock(s, withToken("garbage"));
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("vary")).toBe("Authorization");
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(answer.headers.get("access-control-expose-headers")).toContain("WWW-Authenticate");
    const names = [...(answer.challenge ?? "").matchAll(/(\w+)="/g)].map(([, name]) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  test("BR-14: neither the response nor the ledger contains the token", async () => {
    const s = scene();
    const answer = await knock(s, withToken("gat_very-secret"));
    expect(JSON.stringify([answer, s.tables.refusals, answer.challenge])).not.toContain("very-secret");
  });
});
