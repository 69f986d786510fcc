import { createHmac } from "node:crypto";
import { MAIL, NOON, proof, proofKey, STOCK } from "@gatehouse/auth/testing";
import { build } from "esbuild";
import { exportSPKI, importJWK, type JWK } from "jose";
import { describe, expect, test } from "vitest";
import { apiOptions } from "../../testing/api.ts";
import { gatehouse } from "../gatehouse.ts";

const asked = ({ server }: ReturnType<typeof apiOptions>) => server.seen["/introspect"] ?? 0;

describe("PK-48 an opaque token", () => {
  test("says who may do what, and is introspected at each call", async () => {
    const api = apiOptions(STOCK.id);
    const { verifyToken } = api.tokens;
    const token = await api.tokenOfUser("stock:read stock:write");
    expect(await verifyToken(token, { scope: ["stock:read"] })).toMatchObject({
      userId: "user-ada",
      clientId: "shop-web",
      scope: ["stock:read", "stock:write"],
      environment: "production",
      acr: "urn:gatehouse:acr:password",
      authTime: NOON - 60,
      expiresAt: NOON + 600,
    });
    expect(await verifyToken(await api.tokenFor("stock:read"))).toMatchObject({
      userId: null,
      clientId: "shop-worker",
    });
    await verifyToken(token);
    expect(asked(api)).toBe(3);
  });

  test("that is revoked is rejected at the next call", async () => {
    const api = apiOptions(STOCK.id);
    const token = await api.tokenFor("stock:read");
    await api.tokens.verifyToken(token);
    await api.revoke(token);
    await expect(api.tokens.verifyToken(token)).rejects.toMatchObject({ code: "invalid_token", status: 401 });
  });

  test("is cached by option for at most ten seconds, never past its expiry, and not with `live`", async () => {
    const api = apiOptions(STOCK.id, { tokenCache: 10 });
    const { verifyToken } = api.tokens;
    const token = await api.tokenOfUser("stock:read");
    await verifyToken(token);
    api.s.clock.now += 9;
    await verifyToken(token);
    expect(asked(api)).toBe(1);
    await verifyToken(token, { live: true });
    expect(asked(api)).toBe(2);
    api.s.clock.now += 1;
    await verifyToken(token);
    expect(asked(api)).toBe(3);

    api.s.clock.now = NOON + 595;
    await verifyToken(token);
    api.s.clock.now = NOON + 600;
    await expect(verifyToken(token)).rejects.toMatchObject({ code: "invalid_token" });
    expect(() => apiOptions(STOCK.id, { tokenCache: 11 }).tokens.api()).toThrow(/tokenCache must be .* from 0 to 10/);
  });

  test("that is cached still needs the scope and the environment of this call", async () => {
    const api = apiOptions(STOCK.id, { tokenCache: 10 });
    const token = await api.tokenOfUser("stock:read");
    await api.tokens.verifyToken(token);
    await expect(api.tokens.verifyToken(token, { scope: "stock:write" })).rejects.toMatchObject({ status: 403 });
    await expect(api.tokens.verifyToken(token, { environments: ["staging"] })).rejects.toMatchObject({ status: 401 });
    expect(asked(api)).toBe(1);
  });

  test("cannot be checked while the server is down: 503 with Retry-After", async () => {
    const api = apiOptions(STOCK.id);
    const token = await api.tokenFor("stock:read");
    api.server.isDown = true;
    await expect(api.tokens.verifyToken(token)).rejects.toMatchObject({ code: "unavailable", retryAfterSeconds: 5 });
    const request = new Request(STOCK.id, { headers: { authorization: `Bearer ${token}` } });
    const checked = await api.tokens.checkRequest(request, {});
    if (checked.ok) return expect.unreachable();
    const { status, headers } = checked.response;
    expect([status, headers.get("retry-after"), headers.get("www-authenticate")]).toEqual([503, "5", null]);
    expect(api.errors).toHaveLength(1);
  });

  test("BR-10 anything that is no access token is not sent to the server", async () => {
    const api = apiOptions(STOCK.id);
    for (const secret of ["grt_refresh", "gcs_secret", "gap_api-token", "password", "eyJub3BlIjox", ""])
      await expect(api.tokens.verifyToken(secret)).rejects.toMatchObject({ code: "invalid_token" });
    expect(api.server.seen).toEqual({});
  });
});

describe("PK-48 a JWT", () => {
  test("is verified locally until it expires, and with `live` by the server as well", async () => {
    const api = apiOptions(MAIL.id);
    const { verifyToken } = api.tokens;
    const token = await api.tokenFor("mail:send");
    expect(await verifyToken(token, { scope: "mail:send" })).toMatchObject({ clientId: "shop-worker", userId: null });
    await api.revoke(token);
    await verifyToken(token);
    expect(asked(api)).toBe(0);
    await expect(verifyToken(token, { live: true })).rejects.toMatchObject({ code: "invalid_token" });
  });

  test("counts for thirty seconds more, since clocks differ", async () => {
    const api = apiOptions(MAIL.id);
    const token = await api.sign();
    api.s.clock.now = NOON + 629;
    await api.tokens.verifyToken(token);
    api.s.clock.now = NOON + 630;
    await expect(api.tokens.verifyToken(token)).rejects.toMatchObject({ code: "invalid_token" });
  });

  test("PK-49 is verified while the server is down, with keys that are known", async () => {
    const api = apiOptions(MAIL.id);
    const token = await api.sign();
    await api.tokens.verifyToken(token);
    api.server.isDown = true;
    await api.tokens.verifyToken(token);
    await expect(apiOptions(MAIL.id, { fetch: api.server.fetch }).tokens.verifyToken(token)).rejects.toMatchObject({
      code: "unavailable",
    });
  });

  test("N96 PK-49 a thousand tokens with unknown kids are one more fetch of the keys", async () => {
    const api = apiOptions(MAIL.id);
    const [head = "", ...rest] = (await api.sign()).split(".");
    await api.tokens.verifyToken(await api.sign());
    api.s.clock.now += 31;
    const header = JSON.parse(Buffer.from(head, "base64url").toString());
    const forged = (kid: string) =>
      [Buffer.from(JSON.stringify({ ...header, kid })).toString("base64url"), ...rest].join(".");
    const all = await Promise.allSettled(
      Array.from({ length: 1000 }, (_, at) => api.tokens.verifyToken(forged(`kid-${at}`))),
    );
    expect(all.every(({ status }) => status === "rejected")).toBe(true);
    expect(api.server.seen["/.well-known/jwks.json"]).toBe(2);
  });
});

describe("N95 a token is 401", () => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

  test.each<[string, (api: ReturnType<typeof apiOptions>) => Promise<string>]>([
    ["with alg none", async (api) => `${part({ alg: "none", typ: "at+jwt" })}.${(await api.sign()).split(".")[1]}.AA`],
    [
      "signed with a public key as HMAC secret",
      async (api) => {
        await api.sign();
        const response = await api.server.fetch("https://gate.example/.well-known/jwks.json");
        const { keys } = (await response.json()) as { keys: JWK[] };
        const jwk = keys.find(({ kty }) => kty === "EC") ?? expect.unreachable();
        const spki = await exportSPKI((await importJWK(jwk, "ES256", { extractable: true })) as CryptoKey);
        const signed = `${part({ alg: "HS256", typ: "at+jwt", kid: jwk.kid })}.${(await api.sign()).split(".")[1]}`;
        return `${signed}.${createHmac("sha256", spki).update(signed).digest("base64url")}`;
      },
    ],
    ["that is an ID token", (api) => api.sign({}, "JWT")],
    ["without a type", (api) => api.sign({}, "")],
    ["for another API", (api) => api.sign({ aud: STOCK.id })],
    ["of another server", (api) => api.sign({ iss: "https://evil.example" })],
    ["of a development client", (api) => api.sign({ environment: "development" })],
    ["without an environment", (api) => api.sign({ environment: undefined })],
    ["without a subject", (api) => api.sign({ sub: undefined })],
    ["that has expired", (api) => api.sign({ exp: NOON - 31 })],
    ["that never expires", (api) => api.sign({ exp: undefined })],
    ["that is bound to a certificate", (api) => api.sign({ cnf: { "x5t#S256": "x" } })],
    ["that is altered", async (api) => (await api.sign()).replace(/\.[^.]+\./, `.${part({ sub: "eve" })}.`)],
  ])("%s", async (_, make) => {
    const api = apiOptions(MAIL.id);
    await expect(api.tokens.verifyToken(await make(api))).rejects.toMatchObject({ code: "invalid_token", status: 401 });
  });

  test.each([
    ["for another API", MAIL.id, "mail:send"],
    ["for the server's own API", undefined, "api:read"],
  ])("that is opaque and %s", async (_, resource, scope) => {
    const api = apiOptions(STOCK.id);
    const other = resource === undefined ? api : apiOptions(resource);
    const token = resource === undefined ? "gat_unknown" : await other.tokenFor(scope);
    await expect(api.tokens.verifyToken(token)).rejects.toMatchObject({ code: "invalid_token" });
  });
});

describe("PK-50 DP-04 N95 a token that is bound to a key", () => {
  const KEY = proofKey();
  const URL = `${STOCK.id}/orders?page=2`;
  const bound = async (change: Parameters<typeof apiOptions>[1] = {}) => {
    const api = apiOptions(STOCK.id, change);
    const token = await api.tokenFor("stock:read", { dpop: proof(KEY) });
    const proofFor = (claims: Record<string, unknown> = {}, key = KEY, accessToken = token) =>
      proof(key, { accessToken, claims: { htm: "GET", htu: `${STOCK.id}/orders`, ...claims } });
    const send = (dpop: string | undefined, { url = URL, scheme = "DPoP" } = {}) =>
      api.tokens.checkRequest(
        new Request(url, { headers: { authorization: `${scheme} ${token}`, ...(dpop && { dpop }) } }),
        { scope: "stock:read" },
      );
    return { api, token, proofFor, send };
  };

  test("passes with a proof for this request, whatever host it was sent to", async () => {
    const { proofFor, send } = await bound();
    expect(await send(proofFor())).toMatchObject({ ok: true, token: { clientId: "shop-worker" } });
    expect(await send(proofFor(), { url: "http://10.0.0.7:8080/orders" })).toMatchObject({ ok: true });
  });

  test.each<[string, string, (at: Awaited<ReturnType<typeof bound>>) => string | undefined]>([
    ["no proof", "invalid_dpop_proof", () => undefined],
    ["another URL", "invalid_dpop_proof", ({ proofFor }) => proofFor({ htu: `${STOCK.id}/other` })],
    ["another host", "invalid_dpop_proof", ({ proofFor }) => proofFor({ htu: "https://evil.example/orders" })],
    ["another method", "invalid_dpop_proof", ({ proofFor }) => proofFor({ htm: "POST" })],
    ["the hash of another token", "invalid_dpop_proof", ({ proofFor }) => proofFor({}, KEY, "gat_other")],
    ["an old proof", "invalid_dpop_proof", ({ proofFor }) => proofFor({ iat: NOON - 61 })],
    ["another key", "invalid_token", ({ proofFor }) => proofFor({}, proofKey())],
  ])("is 401 with %s, and the body and the challenge say the same", async (_, error, make) => {
    const at = await bound();
    const checked = await at.send(make(at));
    if (checked.ok) return expect.unreachable();
    expect(checked.response.status).toBe(401);
    expect(checked.response.headers.get("www-authenticate")).toMatch(
      new RegExp(`^DPoP realm="gatehouse", error="${error}".*algs="RS256 ES256 EdDSA Ed25519"$`),
    );
    expect(await checked.response.json()).toMatchObject({ error });
  });

  test("is 401 with a proof that was used before, in any instance of the process", async () => {
    const { api, proofFor, send } = await bound();
    const once = proofFor();
    expect((await send(once)).ok).toBe(true);
    expect((await send(once)).ok).toBe(false);
    const request = new Request(URL, {
      headers: { authorization: `DPoP ${await api.tokenFor("stock:read", { dpop: proof(KEY) })}`, dpop: once },
    });
    expect((await api.tokens.checkRequest(request, {})).ok).toBe(false);
    api.s.clock.now += 130;
    expect((await send(proofFor({ iat: api.s.clock.now }))).ok).toBe(true);
    expect(api.tokens.api().state.proofs.size).toBe(1);
  });

  test("uses `spendOnce` where several processes share their proofs", async () => {
    const spent: [string, number][] = [];
    const { proofFor, send } = await bound({
      spendOnce: (id, expiresAt) => spent.push([id, expiresAt]) === 1,
    });
    expect((await send(proofFor())).ok).toBe(true);
    expect((await send(proofFor())).ok).toBe(false);
    expect(spent[0]).toEqual([expect.stringMatching(/^[\w-]{43}$/), NOON + 61]);
  });

  test("is 503 once the process cannot keep more proofs, rather than forget one", async () => {
    const { api, proofFor, send } = await bound();
    const { proofs } = api.tokens.api().state;
    for (let at = 0; at < 60_000; at++) proofs.set(`proof ${at}`, NOON + 61);
    const checked = await send(proofFor());
    expect(checked).toMatchObject({ ok: false, error: { code: "unavailable" } });
    api.s.clock.now += 62;
    expect((await send(proofFor({ iat: api.s.clock.now }))).ok).toBe(true);
  });

  test("DP-05 is 401 as a bearer token, and an unbound one with the scheme DPoP", async () => {
    const { api, token, proofFor, send } = await bound();
    expect(await send(proofFor(), { scheme: "Bearer" })).toMatchObject({ ok: false, error: { status: 401 } });
    await expect(api.tokens.verifyToken(token)).rejects.toMatchObject({ code: "invalid_token" });
    const bearer = await api.tokenFor("stock:read");
    const request = new Request(URL, { headers: { authorization: `DPoP ${bearer}`, dpop: proofFor({}, KEY, bearer) } });
    expect((await api.tokens.checkRequest(request, {})).ok).toBe(false);
    await expect(api.tokens.verifyToken(bearer, { request })).rejects.toMatchObject({ code: "invalid_token" });
  });
});

describe("PK-51 what an API tells its clients", () => {
  test("the metadata, at the path of the resource", async () => {
    const { options } = apiOptions(MAIL.id, { apiScopes: ["mail:send"] });
    const { handlers } = gatehouse(options);
    const path = "/.well-known/oauth-protected-resource/mail";
    const response = await handlers(new Request(`http://127.0.0.1:8080${path}`));
    expect(response.status).toBe(200);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(await response.json()).toEqual({
      resource: MAIL.id,
      authorization_servers: ["https://gate.example"],
      scopes_supported: ["mail:send"],
      bearer_methods_supported: ["header"],
      dpop_signing_alg_values_supported: ["RS256", "ES256", "EdDSA", "Ed25519"],
    });
    const statusOf = async (method: string, at = path) =>
      (await handlers(new Request(`https://gate.example${at}`, { method }))).status;
    expect([await statusOf("HEAD"), await statusOf("OPTIONS"), await statusOf("POST")]).toEqual([200, 204, 405]);
    expect(await statusOf("GET", "/.well-known/oauth-protected-resource")).toBe(404);
    expect(await statusOf("GET", "/auth/sign-in")).toBe(404);
  });

  const METADATA = 'resource_metadata="https://stock.example/.well-known/oauth-protected-resource"';
  test.each<[string, Record<string, string>, number, string, RegExp]>([
    [
      "BR-04 no token",
      {},
      401,
      "invalid_token",
      /^Bearer realm="gatehouse", scope="stock:read", [^=]+=[^=]+, DPoP algs=/,
    ],
    [
      "BR-05 a bad token",
      { authorization: "Bearer gat_x" },
      401,
      "invalid_token",
      /^Bearer .*error="invalid_token", error_description="[^"]+", scope="stock:read"/,
    ],
    [
      "BR-07 two tokens",
      { authorization: "Bearer gat_x, Bearer gat_y" },
      400,
      "invalid_request",
      /error="invalid_request"/,
    ],
    ["BR-13 a cookie", { cookie: "session=x" }, 401, "invalid_token", /^Bearer realm/],
  ])("%s: the challenge, and JSON", async (_, headers, status, error, challenge) => {
    const api = apiOptions(STOCK.id);
    const checked = await api.tokens.checkRequest(new Request(STOCK.id, { headers }), { scope: "stock:read" });
    if (checked.ok) return expect.unreachable();
    const { response } = checked;
    expect(response.status).toBe(status);
    expect(response.headers.get("www-authenticate")).toMatch(challenge);
    expect(response.headers.get("www-authenticate")).toContain(METADATA);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.json()).toMatchObject({ error });
  });

  test.each([undefined, null, ""])(
    "BR-04 verifyToken without a token, %j: a challenge without an error",
    async (token) => {
      await expect(apiOptions(STOCK.id).tokens.verifyToken(token, { scope: "stock:read" })).rejects.toMatchObject({
        status: 401,
        challenge: expect.stringMatching(/^Bearer realm="gatehouse", scope="stock:read", /),
      });
    },
  );

  test("BR-06 an insufficient scope: 403, with every scope that is required", async () => {
    const api = apiOptions(STOCK.id);
    const scope = ["stock:read", "stock:write"];
    const token = await api.tokenFor("stock:read");
    const request = new Request(STOCK.id, { headers: { authorization: `Bearer ${token}` } });
    const checked = await api.tokens.checkRequest(request, { scope });
    if (checked.ok) return expect.unreachable();
    expect(checked.response.status).toBe(403);
    expect(checked.response.headers.get("www-authenticate")).toContain(
      'error="insufficient_scope", error_description="This requires the scope stock:read stock:write.", scope="stock:read stock:write"',
    );
    await expect(api.tokens.verifyToken(token, { scope })).rejects.toMatchObject({
      code: "insufficient_scope",
      challenge: expect.stringContaining('scope="stock:read stock:write"'),
    });
  });

  test("SU-01 an old or weak sign-in: 401, with what to ask for", async () => {
    const api = apiOptions(STOCK.id);
    const token = await api.tokenOfUser("stock:read");
    await api.tokens.verifyToken(token, { maxAge: 60, acr: "urn:gatehouse:acr:email" });
    for (const demand of [{ maxAge: 59 }, { acr: "urn:gatehouse:acr:mfa" }])
      await expect(api.tokens.verifyToken(token, demand)).rejects.toMatchObject({
        code: "insufficient_user_authentication",
        status: 401,
        challenge: expect.stringMatching(/max_age="59"|acr_values="urn:gatehouse:acr:mfa"/),
      });
  });

  test("BR-14 no error has the token", async () => {
    const api = apiOptions(STOCK.id);
    const error = await api.tokens.verifyToken("gat_very-secret").catch((thrown: unknown) => thrown);
    expect(JSON.stringify([error, String(error), (error as Error).cause])).not.toContain("very-secret");
  });
});

test("PK-12 an API that is not configured says what is missing at its first use", async () => {
  const { verifyToken } = gatehouse({ issuer: "https://id.example.com" });
  await expect(verifyToken("gat_x")).rejects.toMatchObject({
    code: "configuration",
    message: expect.stringMatching(/GATEHOUSE_CLIENT_ID[\s\S]*GATEHOUSE_RESOURCE is not set/),
  });
});

test("PK-63 an API that only checks tokens bundles no code of sessions", async () => {
  const { metafile } = await build({
    stdin: { contents: 'export { createVerifyToken } from "./index.ts";', resolveDir: `${import.meta.dirname}/..` },
    bundle: true,
    write: false,
    metafile: true,
    platform: "neutral",
    format: "esm",
    external: ["jose", "oauth4webapi"],
  });
  const [output] = Object.values(metafile.outputs);
  const used = Object.entries(output?.inputs ?? {}).flatMap(([file, { bytesInOutput }]) =>
    bytesInOutput > 0 ? [file] : [],
  );
  expect(used.length).toBeGreaterThan(10);
  expect(used.filter((file) => /\/(session|cookies|handlers|refusal)\//.test(file))).toEqual([]);
});
