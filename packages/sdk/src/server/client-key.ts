import type { JWK } from "jose";
import { importJWK } from "jose/key/import";
import { type ClientAuth, PrivateKeyJwt } from "oauth4webapi";

/** Authentication by a signed assertion. RFC 7523 §2.2. Loaded only by the clients that have a key. */
export async function authenticationByKey(jwk: JWK): Promise<ClientAuth> {
  const { kid, alg } = jwk;
  const key = await importJWK(jwk, alg);
  if (key instanceof Uint8Array) throw new TypeError("clientKey must be a private key");
  return PrivateKeyJwt(kid === undefined ? key : { key, kid });
}
