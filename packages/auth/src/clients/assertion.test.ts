import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import type { JwtClaims, PublicJwk } from "@gatehouse/guard";
import { describe, expect, test } from "vitest";
import { token } from "../endpoints/token.ts";
import { OutboundError } from "../outbound/outbound.ts";
import { basic, ISSUER, makeClient, NOON, post, type Scene, SERVICE_SECRET, scene } from "../testing/index.ts";
import type { Client } from "./client.ts";
import { ASSERTION_TYPE } from "./credentials.ts";
import type { AssertionAlgorithm } from "./options.ts";

const ID = "shop-worker";
const JWKS_URI = "https://client.example/jwks.json";

type Pair = { privateKey: KeyObject; jwk: PublicJwk };
const pairOf = ({ privateKey, publicKey }: { privateKey: KeyObject; publicKey: KeyObject }, kid: string): Pair => ({
  privateKey,
  jwk: { kty: "", ...publicKey.export({ format: "jwk" }), kid },
});
const ec = (kid: string) => pairOf(generateKeyPairSync("ec", { namedCurve: "P-256" }), kid);
const RSA = pairOf(generateKeyPairSync("rsa", { modulusLength: 2048 }), "rsa");
const ED = pairOf(generateKeyPairSync("ed25519"), "ed");
const KEYS: Record<AssertionAlgorithm, Pair> = {
  RS256: RSA,
  PS256: RSA,
  ES256: ec("ec"),
  EdDSA: ED,
  Ed25519: ED,
};
const PADDING = { PS256: { padding: 6, saltLength: 32 } };

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

function assertion(
  change: JwtClaims = {},
  header: object = {},
  algorithm: AssertionAlgorithm = "ES256",
  pair = KEYS[algorithm],
): string {
  const claims = { iss: ID, sub: ID, aud: ISSUER, exp: NOON + 60, iat: NOON, jti: `id ${Math.random()}`, ...change };
  const signed = `${encode({ alg: algorithm, kid: pair.jwk.kid, ...header })}.${encode(claims)}`;
  const options = {
    key: pair.privateKey,
    dsaEncoding: "ieee-p1363" as const,
    ...(algorithm === "PS256" && PADDING.PS256),
  };
  return `${signed}.${sign(pair.jwk.kty === "OKP" ? null : "sha256", Buffer.from(signed), options).toString("base64url")}`;
}

function withKeys(options: Client["options"] = {}): Scene {
  const s = scene();
  const jwks = { keys: [KEYS.ES256.jwk, KEYS.RS256.jwk, KEYS.EdDSA.jwk] };
  s.changeClient(ID, { secrets: [], options: { authentication: "private_key_jwt", jwks, ...options } });
  return s;
}

async function ask(
  s: Scene,
  client_assertion: string,
  more: Record<string, string> = {},
  headers: Record<string, string> = {},
) {
  const form = { grant_type: "client_credentials", client_assertion_type: ASSERTION_TYPE, client_assertion, ...more };
  const answer = await post(s, token, form, headers);
  return { ...answer, cause: s.tables.refusals.at(-1)?.cause };
}

describe("private_key_jwt, RFC 7523 §3", () => {
  test.each(Object.keys(KEYS) as AssertionAlgorithm[])("JA-01 CA-09: %s is accepted", async (algorithm) => {
    expect((await ask(withKeys(), assertion({}, {}, algorithm))).status).toBe(200);
  });

  test.each<[string, JwtClaims, object]>([
    ["with its client_id beside it", {}, {}],
    ["JA-02: aud as an array of one", { aud: [ISSUER] }, {}],
    ["JA-02: typ client-authentication+jwt", {}, { typ: "client-authentication+jwt" }],
    ["typ JWT", {}, { typ: "JWT" }],
    ["without kid", {}, { kid: undefined }],
    ["JA-03: iat and nbf 8 s ahead", { iat: NOON + 8, nbf: NOON + 8 }, {}],
    ["JA-03: exp 8 s ago", { exp: NOON - 8, iat: NOON - 60 }, {}],
    ["without iat", { iat: undefined }, {}],
  ])("accepts one %s", async (_, claims, header) => {
    expect((await ask(withKeys(), assertion(claims, header), { client_id: ID })).status).toBe(200);
  });

  test.each<[string, JwtClaims, object, string]>([
    ["JA-01: another iss", { iss: "shop-web" }, {}, "assertion_malformed"],
    ["JA-03: no iss", { iss: undefined }, {}, "assertion_malformed"],
    ["JA-03: no sub", { sub: undefined }, {}, "assertion_malformed"],
    ["JA-03: no aud", { aud: undefined }, {}, "assertion_wrong_audience"],
    ["JA-02 CF-16: aud is the token endpoint", { aud: `${ISSUER}/token` }, {}, "assertion_wrong_audience"],
    ["JA-02: aud has one more", { aud: [ISSUER, `${ISSUER}/token`] }, {}, "assertion_wrong_audience"],
    ["JA-02: aud with a slash", { aud: `${ISSUER}/` }, {}, "assertion_wrong_audience"],
    ["JA-01: no exp", { exp: undefined }, {}, "assertion_malformed"],
    ["exp as text", { exp: "later" }, {}, "assertion_malformed"],
    ["JA-03: expired five minutes ago", { exp: NOON - 300 }, {}, "assertion_expired"],
    ["issued long ago", { iat: NOON - 400 }, {}, "assertion_expired"],
    ["good for an hour", { exp: NOON + 3600 }, {}, "assertion_malformed"],
    ["JA-03: iat 60 s ahead", { iat: NOON + 61, exp: NOON + 120 }, {}, "assertion_not_yet_valid"],
    ["JA-03: nbf 60 s ahead", { nbf: NOON + 61 }, {}, "assertion_not_yet_valid"],
    ["JA-01: no jti", { jti: undefined }, {}, "assertion_malformed"],
    ["an empty jti", { jti: "" }, {}, "assertion_malformed"],
    ["an endless jti", { jti: "x".repeat(513) }, {}, "assertion_malformed"],
    ["alg none", {}, { alg: "none" }, "assertion_malformed"],
    ["alg HS256", {}, { alg: "HS256" }, "assertion_malformed"],
    ["JA-03: an alg that is not its key's", {}, { alg: "RS256" }, "assertion_signature_wrong"],
    ["another key's kid", {}, { kid: "rsa" }, "assertion_signature_wrong"],
    ["an access token's typ", {}, { typ: "at+jwt" }, "assertion_malformed"],
    ["a critical extension", {}, { crit: ["exp"] }, "assertion_malformed"],
  ])("rejects %s", async (_, claims, header, cause) => {
    const answer = await ask(withKeys(), assertion(claims, header));
    expect(answer).toMatchObject({ status: 401, body: { error: "invalid_client" }, cause });
  });

  test.each([
    ["JA-03: sub is not the client_id of the body", assertion(), { client_id: "shop-web" }, 401, "client_id_mismatch"],
    [
      "another type of assertion",
      assertion(),
      { client_assertion_type: "urn:example" },
      401,
      "client_credentials_malformed",
    ],
    ["what is no JWT", "a.b.c", {}, 401, "assertion_malformed"],
    ["CA-04: a secret beside it", assertion(), { client_secret: SERVICE_SECRET }, 400, "client_mechanisms_mixed"],
  ])("rejects %s", async (_, sent, more, status, cause) => {
    expect(await ask(withKeys(), sent, more)).toMatchObject({ status, cause });
  });

  test("CA-04: not together with Basic", async () => {
    expect(await ask(withKeys(), assertion(), {}, basic(ID, SERVICE_SECRET))).toMatchObject({
      status: 400,
      cause: "client_mechanisms_mixed",
    });
  });

  test("JA-03: rejects another client's key and a signature with one changed bit", async () => {
    expect(await ask(withKeys(), assertion({}, { kid: "ec" }, "ES256", ec("ec")))).toMatchObject({
      cause: "assertion_signature_wrong",
    });
    const good = assertion();
    const bent = good.slice(0, -3) + (good.at(-3) === "A" ? "B" : "A") + good.slice(-2);
    expect((await ask(withKeys(), bent)).status).toBe(401);
  });

  test("JA-03: only PS256 for a client that is registered for it", async () => {
    const s = withKeys({ assertionAlgorithm: "PS256" });
    expect(await ask(s, assertion({}, {}, "RS256"))).toMatchObject({ status: 401, cause: "assertion_malformed" });
    expect((await ask(s, assertion({}, {}, "PS256"))).status).toBe(200);
  });

  test("JA-01: a jti can be used once, also concurrently; a failed attempt spends nothing", async () => {
    const s = withKeys();
    const good = assertion({ jti: "once" });
    expect(await ask(s, assertion({ jti: "once" }, { kid: "ec" }, "ES256", ec("ec")))).toMatchObject({ status: 401 });
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask(s, good)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(s.tables.refusals.at(-1)?.cause).toBe("assertion_replayed");
  });

  test("CA-09: a client with keys cannot use a secret, one with a secret no assertion, a public one neither", async () => {
    const s = withKeys();
    const secretless = { grant_type: "client_credentials", client_id: ID };
    expect(await post(s, token, secretless)).toMatchObject({ status: 401 });
    expect(s.tables.refusals.at(-1)?.cause).toBe("assertion_missing");
    expect(await post(s, token, { ...secretless, client_secret: SERVICE_SECRET })).toMatchObject({ status: 401 });

    const other = scene();
    expect(await ask(other, assertion())).toMatchObject({ status: 401, cause: "assertion_unexpected" });
    expect(await ask(other, assertion({ iss: "shop-spa", sub: "shop-spa" }))).toMatchObject({
      status: 401,
      cause: "assertion_unexpected",
    });
    expect(await ask(other, assertion({ iss: "nobody", sub: "nobody" }))).toMatchObject({
      status: 401,
      cause: "client_unknown",
    });
  });

  test("a disabled client is rejected", async () => {
    const s = withKeys();
    s.changeClient(ID, { enabled: false });
    expect(await ask(s, assertion())).toMatchObject({ status: 401, cause: "client_disabled" });
  });

  test("rejects keys for encryption, for another algorithm, and short RSA keys", async () => {
    const short = pairOf(generateKeyPairSync("rsa", { modulusLength: 1024 }), "short");
    const jwk = KEYS.ES256.jwk;
    for (const [keys, sent] of [
      [[{ ...jwk, use: "enc" }], assertion()],
      [[{ ...jwk, alg: "ES384" }], assertion()],
      [[short.jwk], assertion({}, {}, "RS256", short)],
    ] as const) {
      expect(await ask(withKeys({ jwks: { keys: [...keys] } }), sent)).toMatchObject({
        status: 401,
        cause: "assertion_signature_wrong",
      });
    }
  });
});

describe("keys by URL", () => {
  function published(keys: () => unknown) {
    const s = withKeys();
    s.changeClient(ID, { options: { authentication: "private_key_jwt", jwksUri: JWKS_URI } });
    const fetches: string[] = [];
    s.deps.fetchDocument = async (url) => {
      fetches.push(url);
      const text = JSON.stringify(keys());
      return { text, headers: { cacheControl: undefined, age: undefined } };
    };
    return { s, fetches };
  }

  test("JA-01: are fetched once for many requests, and again after five minutes", async () => {
    const { s, fetches } = published(() => ({ keys: [KEYS.ES256.jwk] }));
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask(s, assertion())));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(fetches).toEqual([JWKS_URI]);
    s.clock.now += 299;
    expect((await ask(s, assertion({ exp: s.clock.now + 60, iat: s.clock.now }))).status).toBe(200);
    s.clock.now += 1;
    expect((await ask(s, assertion({ exp: s.clock.now + 60, iat: s.clock.now }))).status).toBe(200);
    expect(fetches).toHaveLength(2);
  });

  test("an unknown kid triggers a fetch, at most once a minute", async () => {
    let current = KEYS.ES256;
    const { s, fetches } = published(() => ({ keys: [current.jwk] }));
    expect((await ask(s, assertion())).status).toBe(200);
    const next = ec("next");
    current = next;
    const signed = () => assertion({ exp: s.clock.now + 60, iat: s.clock.now }, {}, "ES256", next);
    expect(await ask(s, signed())).toMatchObject({ status: 401, cause: "assertion_signature_wrong" });
    expect(fetches).toHaveLength(1);
    s.clock.now += 60;
    expect((await ask(s, signed())).status).toBe(200);
    expect(fetches).toHaveLength(2);
    await Promise.all(
      Array.from({ length: 10 }, () =>
        ask(s, assertion({ exp: s.clock.now + 60 }, { kid: "guess" }, "ES256", ec("guess"))),
      ),
    );
    expect(fetches).toHaveLength(2);
  });

  test.each<[string, unknown]>([
    ["no key set", {}],
    ["an empty one", { keys: [] }],
    ["one with a private key", { keys: [{ ...KEYS.ES256.privateKey.export({ format: "jwk" }), kid: "ec" }] }],
    ["one with a shared key", { keys: [{ kty: "oct", k: "AAAA" }] }],
    ["a list", [1]],
  ])("DC-08: %s is not used", async (_, keys) => {
    const { s } = published(() => keys);
    expect(await ask(s, assertion())).toMatchObject({ status: 401, cause: "client_keys_unavailable" });
  });

  test("DC-08: a failed fetch is reported in the ledger only, and retried soon", async () => {
    const { s } = published(() => ({ keys: [KEYS.ES256.jwk] }));
    const good = s.deps.fetchDocument;
    s.deps.fetchDocument = async (url, limits) => {
      if (s.clock.now < NOON + 10) throw new OutboundError("address_not_public", "resolves to 10.0.0.1");
      if (!good) throw new Error("unreachable");
      return good(url, limits);
    };
    const refused = await ask(s, assertion());
    expect(refused).toMatchObject({ status: 401, cause: "client_keys_unavailable" });
    expect(JSON.stringify(refused.body)).not.toContain("10.0.0.1");
    s.clock.now += 10;
    expect((await ask(s, assertion({ exp: s.clock.now + 60 }))).status).toBe(200);
  });

  test("DC-08: a set whose server cannot be reached counts for fifteen minutes after it was read; one that is gone does not", async () => {
    for (const [problem, transient] of [
      ["timed_out", true],
      ["status_not_200", false],
    ] as const) {
      let down: OutboundError | undefined;
      const { s } = published(() => {
        if (down) throw down;
        return { keys: [KEYS.ES256.jwk] };
      });
      const signed = async () => (await ask(s, assertion({ exp: s.clock.now + 60, iat: s.clock.now }))).status;
      expect(await signed()).toBe(200);
      down = new OutboundError(problem, "status 404");
      s.clock.now += 300;
      expect(await signed()).toBe(transient ? 200 : 401);
      s.clock.now += 659;
      expect(await signed()).toBe(401);
    }
  });
});

describe("keys that self-described clients publish", () => {
  const stranger = (s: Scene, clientId: string, jwksUri: string) =>
    s.tables.clients.set(clientId, {
      ...makeClient({ clientId, type: "service", grantTypes: ["client_credentials"], scopes: ["api:read"] }),
      origin: "dynamic",
      options: { authentication: "private_key_jwt", jwksUri },
    });
  const signedBy = (clientId: string) => assertion({ iss: clientId, sub: clientId });

  function world() {
    const s = scene();
    const fetched: [string, string][] = [];
    s.deps.fetchDocument = async (url, { namedBy, asker }) => {
      fetched.push([url, `${namedBy} ${asker}`]);
      return { text: JSON.stringify({ keys: [KEYS.ES256.jwk] }), headers: { cacheControl: undefined, age: undefined } };
    };
    s.caller.address = "203.0.113.7";
    return { s, fetched };
  }

  test("DC-08: no number of them displaces the team's keys, and none uses up another's fetches of the same URL", async () => {
    const { s, fetched } = world();
    s.changeClient(ID, { secrets: [], options: { authentication: "private_key_jwt", jwksUri: JWKS_URI } });
    expect((await ask(s, assertion())).status).toBe(200);
    for (let at = 0; at < 1100; at++) stranger(s, `stranger-${at}`, `https://stranger-${at}.example/jwks`);
    stranger(s, "copy", JWKS_URI);
    for (let at = 0; at < 1100; at++) await ask(s, signedBy(`stranger-${at}`));
    await ask(s, signedBy("copy"));
    expect((await ask(s, assertion())).status).toBe(200);
    expect(fetched.filter(([url]) => url === JWKS_URI)).toEqual([
      [JWKS_URI, "team site 203.0.113 "],
      [JWKS_URI, "stranger site 203.0.113 "],
    ]);
  });

  test("CI-10: fetches are limited by the caller's network, and by its address and host; another network's are not", async () => {
    const { s, fetched } = world();
    const used = new Map<string, number>();
    s.deps.quota = async (of, key) => {
      used.set(`${of} ${key}`, (used.get(`${of} ${key}`) ?? 0) + 1);
      return of === "client fetch" && key.includes("203.0.113") ? 77 : 0;
    };
    stranger(s, "stranger", "https://stranger.example/jwks");
    const refused = await ask(s, signedBy("stranger"));
    expect([refused.status, refused.headers.get("retry-after"), refused.cause]).toEqual([429, "77", "rate_limited"]);
    expect(fetched).toEqual([]);
    s.caller.address = "198.51.100.9";
    await ask(s, signedBy("stranger"));
    expect(fetched).toHaveLength(1);
    expect([...used.keys()]).toContain("client fetch from host site 198.51.100 stranger.example");
  });

  test("CI-10: who has quota left is not refused together with one who has not, when both need the same set", async () => {
    const { s, fetched } = world();
    s.deps.quota = async (_, key) => (key.includes("203.0.113") ? 77 : 0);
    stranger(s, "stranger", "https://stranger.example/jwks");
    const other = { ...s, caller: { address: "198.51.100.9" } };
    const [over, within] = await Promise.all([ask(s, signedBy("stranger")), ask(other, signedBy("stranger"))]);
    expect([over.status, within.status === 429, fetched.length]).toEqual([429, false, 1]);
  });

  test("TK-13: wrong assertions of one client from one address are limited like wrong secrets", async () => {
    const s = withKeys();
    const failed: string[] = [];
    s.deps.throttle = { waitSeconds: () => (failed.length > 2 ? 30 : 0), failed: async (key) => void failed.push(key) };
    const wrong = () => ask(s, assertion({}, { kid: "ec" }, "ES256", ec("ec")));
    expect([(await wrong()).status, (await wrong()).status, (await wrong()).status, (await wrong()).status]).toEqual([
      401, 401, 401, 429,
    ]);
    expect(new Set(failed).size).toBe(1);
  });
});
