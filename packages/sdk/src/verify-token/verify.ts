import { checkToken, invalidToken, readAuthorization, type SentToken } from "@gatehouse/guard";
import type { Api } from "./api.ts";
import type { Found } from "./claims.ts";
import { findToken } from "./find.ts";
import { proveKey } from "./proofs.ts";
import { requirementsOf, type TokenDemand, type TokenRequest, type VerifiedToken } from "./token.ts";

/**
 * Checks the access token in the `Authorization` header of a request. Throws GuardError, or GatehouseError where the
 * server cannot be asked. PK-48.
 */
export async function verifyRequest(request: TokenRequest, demand: TokenDemand, api: Api): Promise<VerifiedToken> {
  return verifySent(readAuthorization(request.headers.get("authorization")), demand, request, api);
}

/** Checks a token. Without its request no proof can be checked, so a token that is bound to a key is rejected. */
export async function verifySent(
  sent: SentToken,
  demand: TokenDemand,
  request: TokenRequest | undefined,
  api: Api,
): Promise<VerifiedToken> {
  const { verified } = await checkToken<Found>(sent, requirementsOf(demand), {
    find: (secret) => findToken(secret, demand, api),
    prove: async (secret) => {
      if (!request) throw invalidToken("token_scheme_wrong", "a proof needs the request");
      return proveKey(secret, request, api);
    },
    now: () => Math.floor(api.settings.now() / 1000),
  });
  return verified;
}
