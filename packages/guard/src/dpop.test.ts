import { createHmac, generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { DPOP_ALGORITHMS, requireProof } from "./dpop.ts";
import { sha256 } from "./sha256.ts";
import { NOON, type ProofChange, proof, proofKey } from "./testing/index.ts";

const KEY = proofKey();
const OTHER = proofKey("EdDSA");
const ENDPOINT = "https://gate.example/endpoint?a=b";
const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");

/** What comes of a request with this `DPoP` header. */
function prove(header: string | undefined, url = ENDPOINT, spent = new Map<string, number>()): Promise<string> {
  const headers = header === undefined ? undefined : { dpop: header };
  return requireProof(new Request(url, { method: "POST", ...(headers && { headers }) }), {
    origin: "https://gate.example",
    now: () => NOON,
    sha256,
    spendOnce: (name, expiresAt) => !spent.has(name) && spent.set(name, expiresAt) === spent,
  });
}

describe("proofs of possession, RFC 9449 §4.3", () => {
  test.each(DPOP_ALGORITHMS)("DP-01: a valid proof with %s returns the thumbprint of its key", async (alg) => {
    const key = proofKey(alg);
    expect(await prove(proof(key))).toBe(key.jkt);
  });

  test.each<[string, ProofChange]>([
    ["htu with a query and a fragment", { claims: { htu: "https://gate.example/endpoint?x=y#z" } }],
    ["htu in other case and with the default port", { claims: { htu: "HTTPS://GATE.example:443/endpoint" } }],
    ["iat ten seconds ago", { claims: { iat: NOON - 10 } }],
    ["iat ten seconds ahead", { claims: { iat: NOON + 10 } }],
    ["iat a minute ago", { claims: { iat: NOON - 60 } }],
    ["nbf and exp around now", { claims: { nbf: NOON - 5, exp: NOON + 5 } }],
    ["a nonce nobody asked for", { claims: { nonce: "from elsewhere" } }],
    ["a kid, and a use in the key", { header: { kid: "1", jwk: { ...KEY.jwk, use: "sig", alg: "ES256" } } }],
  ])("DP-01: accepts %s", async (_, change) => {
    expect(await prove(proof(KEY, change))).toBe(KEY.jkt);
  });

  const rsa1024 = generateKeyPairSync("rsa", { modulusLength: 1024 });
  const p384 = generateKeyPairSync("ec", { namedCurve: "P-384" });
  const shared = (() => {
    const signed = `${encoded({ typ: "dpop+jwt", alg: "HS256", jwk: { kty: "oct", k: "c2VjcmV0" } })}.${encoded({ jti: "1", htm: "POST", htu: "https://gate.example/endpoint", iat: NOON })}`;
    return `${signed}.${createHmac("sha256", "secret").update(signed).digest("base64url")}`;
  })();
  const [head = "", body = "", signature = ""] = proof(KEY).split(".");

  test.each<[string, string, string | undefined]>([
    ["no header", "dpop_missing", undefined],
    ["an empty header", "dpop_malformed", ""],
    ["something else", "dpop_malformed", "proof"],
    ["two proofs", "dpop_malformed", `${proof(KEY)}, ${proof(KEY)}`],
    ["two halves", "dpop_malformed", `${head}.${body}`],
    ["another typ", "dpop_malformed", proof(KEY, { header: { typ: "JWT" } })],
    ["no typ", "dpop_malformed", proof(KEY, { header: { typ: undefined } })],
    ["crit", "dpop_malformed", proof(KEY, { header: { crit: ["b64"], b64: false } })],
    ["alg none", "dpop_key_unsuitable", `${encoded({ typ: "dpop+jwt", alg: "none", jwk: KEY.jwk })}.${body}.AA`],
    ["a shared secret", "dpop_key_unsuitable", shared],
    ["an alg of another key", "dpop_key_unsuitable", proof(KEY, { header: { alg: "RS256" } })],
    ["an alg we do not know", "dpop_key_unsuitable", proof(KEY, { header: { alg: "ES512" } })],
    ["no key", "dpop_key_unsuitable", proof(KEY, { header: { jwk: undefined } })],
    ["a key that is text", "dpop_key_unsuitable", proof(KEY, { header: { jwk: "key" } })],
    ["a private key", "dpop_key_unsuitable", proof(KEY, { header: { jwk: KEY.privateKey.export({ format: "jwk" }) } })],
    ["a point off the curve", "dpop_key_unsuitable", proof(KEY, { header: { jwk: { ...KEY.jwk, x: KEY.jwk["y"] } } })],
    [
      "a short RSA key",
      "dpop_key_unsuitable",
      proof({
        ...KEY,
        ...rsa1024,
        alg: "RS256",
        jwk: rsa1024.publicKey.export({ format: "jwk" }) as Record<string, unknown>,
      }),
    ],
    [
      "another curve",
      "dpop_key_unsuitable",
      proof({ ...KEY, ...p384, jwk: p384.publicKey.export({ format: "jwk" }) as Record<string, unknown> }),
    ],
    ["a key that did not sign", "dpop_signature_wrong", proof(KEY, { header: { jwk: proofKey().jwk } })],
    [
      "an altered payload",
      "dpop_signature_wrong",
      `${head}.${encoded({ jti: "x", htm: "POST", htu: "https://gate.example/endpoint", iat: NOON })}.${signature}`,
    ],
    ["no jti", "dpop_malformed", proof(KEY, { claims: { jti: undefined } })],
    ["an empty jti", "dpop_malformed", proof(KEY, { claims: { jti: "" } })],
    ["a jti of a kilobyte", "dpop_malformed", proof(KEY, { claims: { jti: "x".repeat(1024) } })],
    ["no htm", "dpop_of_other_request", proof(KEY, { claims: { htm: undefined } })],
    ["another method", "dpop_of_other_request", proof(KEY, { claims: { htm: "GET" } })],
    ["the method in small letters", "dpop_of_other_request", proof(KEY, { claims: { htm: "post" } })],
    ["no htu", "dpop_of_other_request", proof(KEY, { claims: { htu: undefined } })],
    ["another path", "dpop_of_other_request", proof(KEY, { claims: { htu: "https://gate.example/other" } })],
    ["another host", "dpop_of_other_request", proof(KEY, { claims: { htu: "https://evil.example/endpoint" } })],
    ["another scheme", "dpop_of_other_request", proof(KEY, { claims: { htu: "http://gate.example/endpoint" } })],
    ["another port", "dpop_of_other_request", proof(KEY, { claims: { htu: "https://gate.example:8443/endpoint" } })],
    ["a path alone", "dpop_of_other_request", proof(KEY, { claims: { htu: "/endpoint" } })],
    ["no iat", "dpop_malformed", proof(KEY, { claims: { iat: undefined } })],
    ["iat as text", "dpop_malformed", proof(KEY, { claims: { iat: `${NOON}` } })],
    ["iat an hour ago", "dpop_stale", proof(KEY, { claims: { iat: NOON - 3600 } })],
    ["iat an hour ahead", "dpop_stale", proof(KEY, { claims: { iat: NOON + 3600 } })],
    ["iat 61 seconds ago", "dpop_stale", proof(KEY, { claims: { iat: NOON - 61 } })],
    ["an exp long past", "dpop_stale", proof(KEY, { claims: { exp: NOON - 600 } })],
    ["an nbf far ahead", "dpop_stale", proof(KEY, { claims: { nbf: NOON + 600 } })],
  ])("DP-01 DP-02: rejects %s", async (_, refusalCause, header) => {
    await expect(prove(header)).rejects.toMatchObject({ code: "invalid_dpop_proof", refusalCause, status: 400 });
  });

  test("DP-01: the Host header does not matter", async () => {
    const lured = proof(KEY, { claims: { htu: "https://evil.example/endpoint" } });
    expect(await prove(proof(KEY), "https://evil.example/endpoint")).toBe(KEY.jkt);
    await expect(prove(lured, "https://evil.example/endpoint")).rejects.toMatchObject({
      refusalCause: "dpop_of_other_request",
    });
  });

  test("DP-01: a proof can be used once; another key may use the same jti", async () => {
    const spent = new Map<string, number>();
    const once = proof(KEY, { claims: { jti: "once" } });
    expect(await prove(once, ENDPOINT, spent)).toBe(KEY.jkt);
    await expect(prove(once, ENDPOINT, spent)).rejects.toMatchObject({
      code: "invalid_dpop_proof",
      refusalCause: "dpop_replayed",
    });
    await expect(prove(proof(KEY, { claims: { jti: "once", iat: NOON + 1 } }), ENDPOINT, spent)).rejects.toMatchObject({
      refusalCause: "dpop_replayed",
    });
    expect(await prove(proof(OTHER, { claims: { jti: "once" } }), ENDPOINT, spent)).toBe(OTHER.jkt);
  });

  test("DP-01: a proof is remembered for as long as it would be accepted", async () => {
    const spent = new Map<string, number>();
    await prove(proof(KEY, { claims: { iat: NOON + 60 } }), ENDPOINT, spent);
    expect([...spent.values()]).toEqual([NOON + 121]);
  });

  test("DP-01 DP-04: the proof for an access token has its hash", async () => {
    const check = (sent: string) =>
      requireProof(new Request(ENDPOINT, { method: "POST", headers: { dpop: sent } }), {
        accessToken: "gat_token",
        origin: ENDPOINT,
        now: () => NOON,
        sha256,
        spendOnce: () => true,
      });
    expect(await check(proof(KEY, { accessToken: "gat_token" }))).toBe(KEY.jkt);
    for (const wrong of [proof(KEY), proof(KEY, { accessToken: "gat_tokem" }), proof(KEY, { claims: { ath: "" } })])
      await expect(check(wrong)).rejects.toMatchObject({ refusalCause: "dpop_of_other_request" });
  });
});
