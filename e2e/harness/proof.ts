import { createHash, generateKeyPairSync, type KeyObject, randomUUID, sign } from "node:crypto";

/** A client's key pair for DPoP, ES256. */
export type ProofKey = { privateKey: KeyObject; jwk: { [member: string]: unknown }; jkt: string };

export function newProofKey(): ProofKey {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { crv, kty, x, y } = publicKey.export({ format: "jwk" });
  const jwk = { crv, kty, x, y };
  return { privateKey, jwk, jkt: createHash("sha256").update(JSON.stringify(jwk)).digest("base64url") };
}

export type ProofChange = { header?: Record<string, unknown>; claims?: Record<string, unknown>; accessToken?: string };

/** A `DPoP` header that is right for a request of this method to this URL, with changes; undefined removes a member. */
export function proofFor(key: ProofKey, method: string, url: string, change: ProofChange = {}): { dpop: string } {
  const { header = {}, claims = {}, accessToken } = change;
  const payload = {
    jti: randomUUID(),
    htm: method,
    htu: url,
    iat: Math.floor(Date.now() / 1000),
    ...(accessToken !== undefined && { ath: createHash("sha256").update(accessToken).digest("base64url") }),
    ...claims,
  };
  const signed = [{ typ: "dpop+jwt", alg: "ES256", jwk: key.jwk, ...header }, payload]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");
  const signature = sign("sha256", Buffer.from(signed), { key: key.privateKey, dsaEncoding: "ieee-p1363" });
  return { dpop: `${signed}.${signature.toString("base64url")}` };
}
