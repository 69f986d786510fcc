import { createHmac, createPublicKey, verify } from "node:crypto";
import { type PublicJwk, readJwt } from "@gatehouse/guard";
import { calculateJwkThumbprint } from "jose";
import { describe, expect, test } from "vitest";
import { SIGNING_ALGORITHMS, type SigningAlgorithm } from "../clients/options.ts";
import { ISSUER, NOON, scene } from "../testing/scene.ts";
import { createSeal } from "./seal.ts";
import {
  ensureKeys,
  KEY_LIFETIME,
  maintainKeys,
  publicKeys,
  replaceKey,
  rotateKey,
  signJwt,
  verifyJwt,
} from "./signing-keys.ts";

const claims = (change: Record<string, unknown> = {}) => ({
  iss: ISSUER,
  aud: "shop-web",
  sub: "user-ada",
  exp: NOON + 600,
  ...change,
});
const demand = { typ: "JWT", algorithms: SIGNING_ALGORITHMS, issuer: ISSUER, audience: "shop-web" };
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
const kidOf = (token: string) => readJwt(token)?.header.kid;

describe("signing", () => {
  test.each(SIGNING_ALGORITHMS)("%s: anyone with the published key can verify it", async (algorithm) => {
    const { deps } = scene();
    const token = await signJwt({ typ: "JWT", claims: claims(), algorithm }, deps);
    const published = (await publicKeys(deps)).find(({ kid }) => kid === kidOf(token));
    const [head, body, signature = ""] = token.split(".");
    const key = createPublicKey({ key: published ?? {}, format: "jwk" });
    const hash = algorithm === "EdDSA" ? null : "sha256";
    const verified = verify(
      hash,
      Buffer.from(`${head}.${body}`),
      { key, dsaEncoding: "ieee-p1363" },
      Buffer.from(signature, "base64url"),
    );
    expect(verified).toBe(true);
    expect(await verifyJwt(token, demand, deps)).toMatchObject({ sub: "user-ada" });
  });

  test("MD-07: only public members are published, with unique kid, alg and use; the private key is sealed", async () => {
    const s = scene();
    await ensureKeys(SIGNING_ALGORITHMS, s.deps);
    const keys = await publicKeys(s.deps);
    expect(keys.map(({ alg }) => alg).sort()).toEqual(["ES256", "EdDSA", "RS256"]);
    expect(new Set(keys.map(({ kid }) => kid)).size).toBe(3);
    for (const key of keys) {
      expect(
        Object.keys(key).filter((name) => !["kty", "n", "e", "crv", "x", "y", "kid", "alg", "use"].includes(name)),
      ).toEqual([]);
      expect(key).toMatchObject({ use: "sig", kid: await calculateJwkThumbprint(key) });
    }
    for (const { sealedPrivateJwk } of s.tables.signingKeys.values()) expect(sealedPrivateJwk).not.toMatch(/"d"/);
  });

  test("processes that start concurrently agree on one key per algorithm", async () => {
    const s = scene();
    const others = Array.from({ length: 3 }, () => ({ ...s.deps, store: { ...s.deps.store } }));
    await Promise.all([s.deps, ...others].map((deps) => ensureKeys(["ES256"], deps)));
    expect(s.tables.signingKeys.size).toBe(1);
    const token = await signJwt({ typ: "JWT", claims: claims(), algorithm: "ES256" }, others[0] ?? s.deps);
    expect(await verifyJwt(token, demand, s.deps)).toBeDefined();
  });
});

describe("rotation", () => {
  const algorithm = "ES256";
  const signed = (deps: ReturnType<typeof scene>["deps"]) =>
    signJwt({ typ: "JWT", claims: claims({ exp: NOON * 2 }), algorithm }, deps);

  test("MD-07: the next key is published a day before it signs, and the previous one as long as its ID tokens can be hints", async () => {
    const s = scene();
    const before = await signed(s.deps);
    const next = await rotateKey(algorithm, false, s.deps);
    expect((await rotateKey(algorithm, false, s.deps)).kid).toBe(next.kid);
    expect((await publicKeys(s.deps)).map(({ kid }) => kid)).toEqual([kidOf(before), next.kid]);
    expect(kidOf(await signed(s.deps))).toBe(kidOf(before));

    s.clock.now += KEY_LIFETIME.publishedAheadSeconds - 1;
    expect(kidOf(await signed(s.deps))).toBe(kidOf(before));
    s.clock.now = next.activeFrom;
    await maintainKeys(s.deps);
    expect(kidOf(await signed(s.deps))).toBe(next.kid);
    expect(await verifyJwt(before, demand, s.deps)).toBeDefined();

    s.clock.now += KEY_LIFETIME.publishedAfterSeconds - 1;
    expect(await verifyJwt(before, demand, s.deps)).toBeDefined();
    s.clock.now += KEY_LIFETIME.reloadSeconds;
    expect((await publicKeys(s.deps)).map(({ kid }) => kid)).not.toContain(kidOf(before));
    expect(await verifyJwt(before, demand, s.deps)).toBeUndefined();
  });

  test("immediate rotation: the new key signs now, and the previous one still verifies", async () => {
    const s = scene();
    const before = await signed(s.deps);
    s.clock.now += 10;
    const { kid } = await rotateKey(algorithm, true, s.deps);
    expect(kidOf(await signed(s.deps))).toBe(kid);
    expect(await verifyJwt(before, demand, s.deps)).toBeDefined();
  });

  test("CO-60 replacement: tokens of all other keys become invalid, those of retired keys too", async () => {
    const s = scene();
    const oldest = await signed(s.deps);
    s.clock.now += 10;
    await rotateKey(algorithm, true, s.deps);
    const before = await signed(s.deps);
    s.clock.now += 10;
    const waiting = await rotateKey(algorithm, false, s.deps);
    const { kid } = await replaceKey(algorithm, s.deps);
    expect((await publicKeys(s.deps)).map((key) => key.kid)).toEqual([kid]);
    expect(await verifyJwt(before, demand, s.deps)).toBeUndefined();
    expect(await verifyJwt(oldest, demand, s.deps)).toBeUndefined();
    s.clock.now = waiting.activeFrom + 1;
    expect(kidOf(await signed(s.deps))).toBe(kid);
  });

  test("CO-60 a replacement works in the second of another rotation, and of another replacement", async () => {
    const s = scene();
    await rotateKey(algorithm, true, s.deps);
    await replaceKey(algorithm, s.deps);
    const { kid } = await replaceKey(algorithm, s.deps);
    expect((await publicKeys(s.deps)).map((key) => key.kid)).toEqual([kid]);
    expect(kidOf(await signed(s.deps))).toBe(kid);
  });

  test("scheduled rotation happens once across processes, with at least a day of notice", async () => {
    const s = scene();
    await maintainKeys(s.deps);
    expect(s.tables.signingKeys.size).toBe(3);
    s.clock.now += KEY_LIFETIME.rotationSeconds - KEY_LIFETIME.publishedAheadSeconds;
    await Promise.all([s.deps, { ...s.deps, store: { ...s.deps.store } }].map((deps) => maintainKeys(deps)));
    const waiting = [...s.tables.signingKeys.values()].filter(({ activeFrom }) => activeFrom > s.clock.now);
    expect(waiting.map(({ algorithm: of }) => of).sort()).toEqual(["ES256", "EdDSA", "RS256"]);
    for (const { activeFrom } of waiting)
      expect(activeFrom - s.clock.now).toBeGreaterThanOrEqual(KEY_LIFETIME.publishedAheadSeconds);
  });

  test("a key of another process is found by its kid before the next reload", async () => {
    const s = scene();
    await signed(s.deps);
    const other = { ...s.deps, store: { ...s.deps.store } };
    s.clock.now += KEY_LIFETIME.unknownKidSeconds;
    await rotateKey(algorithm, true, other);
    expect(await verifyJwt(await signed(other), demand, s.deps)).toBeDefined();
  });

  test("keys sealed under another secret no longer sign but still verify; a new one takes over", async () => {
    const s = scene();
    const before = await signed(s.deps);
    const elsewhere = {
      ...s.deps,
      store: { ...s.deps.store },
      seal: createSeal("another secret of thirty-two bytes and more", s.deps.random),
    };
    expect(kidOf(await signed(elsewhere))).not.toBe(kidOf(before));
    expect(await verifyJwt(before, demand, elsewhere)).toBeDefined();
  });
});

describe("JT-02, OI-08: tokens that are not accepted as our own", () => {
  const forge = async (change: (key: PublicJwk) => { header: object; signature: (signed: string) => Buffer }) => {
    const { deps } = scene();
    await ensureKeys(SIGNING_ALGORITHMS, deps);
    const rsa = (await publicKeys(deps)).find(({ alg }) => alg === "RS256");
    if (!rsa) throw new Error("no RS256 key");
    const { header, signature } = change(rsa);
    const body = `${part(header)}.${part(claims())}`;
    return verifyJwt(`${body}.${signature(body).toString("base64url")}`, demand, deps);
  };
  const hmacWithPublicKey = (rsa: PublicJwk) => (signed: string) =>
    createHmac("sha256", createPublicKey({ key: rsa, format: "jwk" }).export({ type: "spki", format: "pem" }))
      .update(signed)
      .digest();

  test.each([
    [
      "alg none",
      (rsa: PublicJwk) => ({ header: { alg: "none", typ: "JWT", kid: rsa.kid }, signature: () => Buffer.from("x") }),
    ],
    [
      "HS256 with our public key",
      (rsa: PublicJwk) => ({ header: { alg: "HS256", typ: "JWT", kid: rsa.kid }, signature: hmacWithPublicKey(rsa) }),
    ],
    [
      "a wrong signature",
      (rsa: PublicJwk) => ({ header: { alg: "RS256", typ: "JWT", kid: rsa.kid }, signature: () => Buffer.alloc(256) }),
    ],
    ["no kid", () => ({ header: { alg: "RS256", typ: "JWT" }, signature: () => Buffer.alloc(256) })],
    [
      "crit",
      (rsa: PublicJwk) => ({
        header: { alg: "RS256", typ: "JWT", kid: rsa.kid, crit: ["x"] },
        signature: () => Buffer.alloc(256),
      }),
    ],
  ])("%s", async (_, change) => expect(await forge(change)).toBeUndefined());

  test("a key in the header (jwk, jku, x5u) is ignored", async () => {
    const [ours, theirs] = [scene(), scene()];
    await ensureKeys(["ES256"], ours.deps);
    const token = await signJwt({ typ: "JWT", claims: claims(), algorithm: "ES256" }, theirs.deps);
    const [, body, tail] = token.split(".");
    const [jwk] = await publicKeys(theirs.deps);
    const head = part({
      alg: "ES256",
      typ: "JWT",
      kid: jwk?.kid,
      jwk,
      jku: "https://evil.example/jwks",
      x5u: "https://evil.example/x",
    });
    ours.clock.now += 30;
    expect(await verifyJwt(`${head}.${body}.${tail}`, demand, ours.deps)).toBeUndefined();
  });

  test.each<[string, Partial<typeof demand>, Record<string, unknown>]>([
    ["another type", { typ: "at+jwt" }, {}],
    ["another issuer", {}, { iss: "https://other.example" }],
    ["another audience", {}, { aud: ["other"] }],
    ["expired", {}, { exp: NOON }],
    ["no expiry", {}, { exp: undefined }],
    ["an algorithm that is not allowed here", { algorithms: ["EdDSA"] satisfies SigningAlgorithm[] as never }, {}],
  ])("%s", async (_, asked, carried) => {
    const { deps } = scene();
    const token = await signJwt({ typ: "JWT", claims: claims(carried), algorithm: "ES256" }, deps);
    expect(await verifyJwt(token, { ...demand, ...asked }, deps)).toBeUndefined();
  });

  test.each([
    "",
    "a.b",
    "a.b.c",
    "a.b.c.d",
    `${part([1])}.${part({})}.xx`,
    `${part({ alg: 1 })}.${part({})}.xx`,
    "x".repeat(20_000),
  ])("what is no JWT (%#) is not read", (text) => expect(readJwt(text)).toBeUndefined());

  test("another encoding of the same bytes is rejected", async () => {
    const { deps } = scene();
    const token = await signJwt({ typ: "JWT", claims: claims(), algorithm: "EdDSA" }, deps);
    expect(readJwt(`${token}=`)).toBeUndefined();
    const last = token.at(-1) ?? "";
    const twin = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    expect(readJwt(token.slice(0, -1) + twin[twin.indexOf(last) + 1])).toBeUndefined();
  });
});
