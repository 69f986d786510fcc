import { createPrivateKey, generateKeyPairSync, type JsonWebKey, sign } from "node:crypto";
import { sha256 } from "@gatehouse/auth";
import type { OperationDeps } from "../deps.ts";

/**
 * The private key of a run whose client requires DPoP, as a JWK. Only the run's sealed ticket has it, so it ends with
 * the run. RFC 9449.
 */
export type ProofKey = JsonWebKey;

export function mintProofKey(): ProofKey {
  return generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" });
}

/** A request to prove the key for. `accessToken`: the one that it presents; `nonce`: of the server's last response. */
export type ProvenRequest = {
  method: string;
  url: string;
  accessToken?: string | undefined;
  nonce?: string | undefined;
};

/** The proof of one request. RFC 9449 §4.2. */
export function proofOf(
  { method, url, accessToken, nonce }: ProvenRequest,
  key: ProofKey,
  { now, random }: Pick<OperationDeps, "now" | "random">,
): string {
  const { kty, crv, x, y } = key;
  const header = { typ: "dpop+jwt", alg: "ES256", jwk: { kty, crv, x, y } };
  const claims = {
    jti: Buffer.from(random(16)).toString("base64url"),
    htm: method,
    htu: url,
    iat: now(),
    ...(accessToken !== undefined && { ath: sha256(accessToken) }),
    ...(nonce !== undefined && { nonce }),
  };
  const signed = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  const privateKey = createPrivateKey({ key, format: "jwk" });
  return `${signed}.${sign("sha256", Buffer.from(signed), { key: privateKey, dsaEncoding: "ieee-p1363" }).toString("base64url")}`;
}
