import { generateKeyPairSync } from "node:crypto";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { describe, expect, test } from "vitest";
import {
  checkSignature,
  importPublicJwk as importWith,
  isPublicJwk,
  type KeyCache,
  type PublicJwk,
  readJwt,
  type VerificationAlgorithm,
} from "./jwt.ts";
import { sha256 } from "./sha256.ts";

const cache: KeyCache = new Map();
const importPublicJwk = (jwk: PublicJwk, algorithm: VerificationAlgorithm) => importWith(jwk, algorithm, cache, sha256);

const jwkOf = (key: { export(options: { format: "jwk" }): object }) => key.export({ format: "jwk" }) as PublicJwk;
const p256 = generateKeyPairSync("ec", { namedCurve: "P-256" });
const p384 = generateKeyPairSync("ec", { namedCurve: "P-384" });
const x25519 = generateKeyPairSync("x25519");
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
/** So many bytes, the first of them not zero. */
const encoded = (length: number) => Buffer.alloc(length, 0xff).toString("base64url");
const shortRsa = generateKeyPairSync("rsa", { modulusLength: 1024 });

describe("importing a public key", () => {
  test("the same key is imported once, and has one thumbprint however its JWK is written", async () => {
    const jwk = jwkOf(p256.publicKey);
    const imported = await importPublicJwk(jwk, "ES256");
    expect(await importPublicJwk({ ...jwk }, "ES256")).toBe(imported);
    const { kty, crv, x, y } = jwk;
    const other = await importPublicJwk({ use: "sig", y, x, crv, kty, kid: "1", ext: false }, "ES256");
    expect(other?.thumbprint).toBe(imported?.thumbprint);
  });

  test.each<[string, PublicJwk, VerificationAlgorithm]>([
    ["a private key", jwkOf(p256.privateKey), "ES256"],
    ["a shared key", { kty: "oct", k: "c2VjcmV0" }, "ES256"],
    ["another curve", jwkOf(p384.publicKey), "ES256"],
    ["a curve for key agreement", jwkOf(x25519.publicKey), "EdDSA"],
    ["another algorithm's key", jwkOf(rsa.publicKey), "ES256"],
    ["an RSA key of 1024 bits", jwkOf(shortRsa.publicKey), "RS256"],
    ["an RSA key of 4104 bits", { kty: "RSA", n: encoded(513), e: "AQAB" }, "RS256"],
    ["an RSA key of 16384 bits", { kty: "RSA", n: encoded(2048), e: "AQAB" }, "PS256"],
    ["an RSA key with a long exponent", { ...jwkOf(rsa.publicKey), e: encoded(9) }, "RS256"],
    ["an unknown type", { kty: "PQ" }, "ES256"],
    ["no members", { kty: "EC" }, "ES256"],
    ["a point that is not on the curve", { ...jwkOf(p256.publicKey), x: jwkOf(p256.publicKey)["y"] }, "ES256"],
  ])("RFC 8725 §3.1: %s is not used", async (_, jwk, algorithm) => {
    expect(await importPublicJwk(jwk, algorithm)).toBeUndefined();
  });

  test("RFC 8725 §3.1: an RSA key of 4096 bits is used", async () => {
    expect(await importPublicJwk({ kty: "RSA", n: encoded(512), e: "AQAB" }, "RS256")).toBeDefined();
    expect(await importPublicJwk({ kty: "RSA", n: `AA${encoded(510).slice(2)}`, e: "AQAB" }, "RS256")).toBeDefined();
  });

  test.each(["d", "p", "q", "dp", "dq", "qi", "oth", "k"])(
    "a JWK with the private member %s is not public",
    (member) => {
      expect(isPublicJwk({ ...jwkOf(rsa.publicKey), [member]: "AA" })).toBe(false);
    },
  );
});

describe("checking a signature", () => {
  const signed = async () => {
    const { publicKey, privateKey } = await generateKeyPair("RS256");
    const compact = await new SignJWT({ sub: "ada" }).setProtectedHeader({ alg: "RS256" }).sign(privateKey);
    const { kty = "", ...members } = await exportJWK(publicKey);
    return { jwt: readJwt(compact) ?? expect.unreachable(), jwk: { kty, ...members } };
  };

  test("only the algorithm that the caller names counts", async () => {
    const { jwt, jwk } = await signed();
    const key = (algorithm: VerificationAlgorithm) =>
      importPublicJwk(jwk, algorithm).then((imported) => imported?.key ?? expect.unreachable());
    expect(await checkSignature(jwt, await key("RS256"), "RS256")).toBe(true);
    expect(await checkSignature(jwt, await key("PS256"), "PS256")).toBe(false);
  });

  test("a changed payload or header is not what was signed", async () => {
    const { jwt, jwk } = await signed();
    const { key } = (await importPublicJwk(jwk, "RS256")) ?? expect.unreachable();
    const [head = "", body = "", tail = ""] = jwt.compact.split(".");
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    for (const compact of [
      `${head}.${part({ sub: "eve" })}.${tail}`,
      `${part({ alg: "RS256", typ: "x" })}.${body}.${tail}`,
    ]) {
      expect(await checkSignature({ ...jwt, compact }, key, "RS256")).toBe(false);
    }
  });
});
