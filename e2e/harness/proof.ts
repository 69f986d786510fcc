import { createHash, randomUUID } from "node:crypto";
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";

/** A client's key pair for DPoP, ES256. */
export type ProofKey = { privateJwk: JWK; jwk: JWK; jkt: string };

export async function newProofKey(): Promise<ProofKey> {
  const { publicKey, privateKey } = await generateKeyPair("ES256", { extractable: true });
  const jwk = await exportJWK(publicKey);
  return { privateJwk: await exportJWK(privateKey), jwk, jkt: await calculateJwkThumbprint(jwk) };
}

export type ProofChange = {
  header?: { typ?: string; jwk?: JWK };
  claims?: Record<string, unknown>;
  accessToken?: string;
};

/** A valid `DPoP` header for a request of this method to this URL, with changes; undefined removes a member. */
export async function proofFor(
  key: ProofKey,
  method: string,
  url: string,
  change: ProofChange = {},
): Promise<{ dpop: string }> {
  const { header = {}, claims = {}, accessToken } = change;
  const payload = {
    jti: randomUUID(),
    htm: method,
    htu: url,
    iat: Math.floor(Date.now() / 1000),
    ...(accessToken !== undefined && { ath: createHash("sha256").update(accessToken).digest("base64url") }),
    ...claims,
  };
  const protectedHeader = { typ: "dpop+jwt", alg: "ES256", jwk: key.jwk, ...header };
  return { dpop: await new SignJWT(payload).setProtectedHeader(protectedHeader).sign(key.privateJwk) };
}
