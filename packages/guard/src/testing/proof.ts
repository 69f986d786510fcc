import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto";

/** 2027-01-15T08:00:00Z. */
export const NOON = 1_800_000_000;

// Keys, thumbprints and signatures come from node:crypto: independent of the library under test, which would refuse to
// sign bad proofs.

/** A key pair of a client, with its public half as JWK and that one's thumbprint. */
export type ProofKey = { privateKey: KeyObject; jwk: Record<string, unknown>; jkt: string; alg: string };

/** Makes keys for an algorithm. */
export function proofKey(alg = "ES256"): ProofKey {
  const { publicKey, privateKey } =
    alg === "EdDSA" || alg === "Ed25519"
      ? generateKeyPairSync("ed25519")
      : alg === "ES256"
        ? generateKeyPairSync("ec", { namedCurve: "P-256" })
        : generateKeyPairSync("rsa", { modulusLength: 2048 });
  const jwk = { ...publicKey.export({ format: "jwk" }) };
  // RFC 7638 §3: its members in lexicographic order.
  const jkt = createHash("sha256")
    .update(JSON.stringify(jwk, Object.keys(jwk).sort()))
    .digest("base64url");
  return { privateKey, jwk, jkt, alg };
}

export type ProofChange = { header?: Record<string, unknown>; claims?: Record<string, unknown>; accessToken?: string };

let made = 0;

/**
 * A proof that is right in every way for a `POST https://gate.example/endpoint` at {@link NOON}, with changes; undefined removes a
 * member.
 */
export function proof(
  { privateKey, jwk, alg }: ProofKey,
  { header = {}, claims = {}, accessToken }: ProofChange = {},
): string {
  const payload = {
    jti: `proof ${++made}`,
    htm: "POST",
    htu: "https://gate.example/endpoint",
    iat: NOON,
    ...(accessToken !== undefined && { ath: createHash("sha256").update(accessToken).digest("base64url") }),
    ...claims,
  };
  const signed = [{ typ: "dpop+jwt", alg, jwk, ...header }, payload]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");
  const hash = privateKey.asymmetricKeyType === "ed25519" ? null : "sha256";
  return `${signed}.${sign(hash, Buffer.from(signed), { key: privateKey, dsaEncoding: "ieee-p1363" }).toString("base64url")}`;
}
