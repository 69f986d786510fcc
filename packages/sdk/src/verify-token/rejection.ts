import { challengeFor, GuardError, type GuardErrorCode } from "@gatehouse/guard";
import { GatehouseError, type GatehouseErrorCode } from "../error.ts";
import type { Api } from "./api.ts";
import { requirementsOf, type TokenDemand } from "./token.ts";

/** A request that an API rejects: the error for its code, and the response for its caller. */
export type Rejection = { error: GatehouseError; response: Response };

const CODES: Record<GuardErrorCode, GatehouseErrorCode> = {
  invalid_request: "invalid_request",
  invalid_token: "invalid_token",
  insufficient_scope: "insufficient_scope",
  insufficient_user_authentication: "insufficient_user_authentication",
  invalid_dpop_proof: "invalid_token",
  use_dpop_nonce: "invalid_token",
};

/** BR-11: what a token opens is personal. */
const HEADERS = { "content-type": "application/json", "cache-control": "no-store", vary: "Authorization" };

/**
 * What becomes of an error of the checks: 400, 401 or 403 with the challenge of the guard, 503 with `Retry-After` where
 * the server cannot be asked. Any other error is thrown. PK-51, BR-04…BR-08, BR-12.
 */
export function rejectionOf(
  thrown: unknown,
  authorization: string | null,
  demand: TokenDemand,
  { settings }: Api,
): Rejection {
  if (thrown instanceof GatehouseError) return failure(thrown);
  if (!(thrown instanceof GuardError)) throw thrown;
  const challenge = challengeFor(thrown, authorization, requirementsOf(demand), settings.resource);
  const { code, status, message, description } = thrown;
  const error = new GatehouseError(CODES[code], message, { cause: thrown, challenge });
  const headers = { ...HEADERS, ...(challenge !== undefined && { "www-authenticate": challenge }) };
  return { error, response: json({ error: code, error_description: description }, status, headers) };
}

/** The server cannot be asked, or refuses to answer this API. */
function failure(error: GatehouseError): Rejection {
  const { code, status, errorId, retryAfterSeconds } = error;
  const headers = {
    ...HEADERS,
    ...(retryAfterSeconds !== undefined && { "retry-after": String(retryAfterSeconds) }),
  };
  const description = "The access token cannot be checked right now.";
  return { error, response: json({ error: code, error_description: description, error_id: errorId }, status, headers) };
}

function json(body: Record<string, string | undefined>, status: number, headers: Record<string, string>): Response {
  return new Response(JSON.stringify(body), { status, headers });
}
