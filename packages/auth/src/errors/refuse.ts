import { PREFIX, type Random } from "../crypto/secret.ts";
import type { Caller, Deps } from "../deps.ts";
import { findStoreUnavailable } from "../store/unavailable.ts";
import { OAuthError } from "./error.ts";
import type { RefusalCause } from "./refusal.ts";

/** Crockford's base 32: no letter that is mistaken for a digit when an id is read out loud. */
const ID_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const ID_LENGTH = 10;
const MESSAGE_LIMIT = 500;
/** A claimed id may be anything; ours are far shorter. */
const CLIENT_ID_LIMIT = 200;

/** Ordinary steps of a healthy exchange, answered with an error code by the protocol's design. They would bury the real ones. */
const EVERYDAY: ReadonlySet<RefusalCause> = new Set([
  "device_pending",
  "token_missing",
  "dpop_nonce_missing",
  "authentication_too_weak",
  "authentication_too_old",
]);

/**
 * An error id as we wrote it, from what somebody typed: in capitals, without spaces, and with the letters that our alphabet leaves
 * out read as the digits they look like.
 */
export function normaliseErrorId(typed: string): string {
  return typed.replace(/\s/g, "").toUpperCase().replaceAll("O", "0").replace(/[IL]/g, "1");
}

const LOOKS_SECRET = new RegExp(`(?:${Object.values(PREFIX).join("|")})[\\w-]{20}`);

/** Where a refusal happened, and who the request claimed to come from. */
export type RefusedAt = { endpoint: string; clientId: string | null };

/** Cut, and left out where a secret of ours stands in its place. */
function claimedId({ clientId }: RefusedAt): string | null {
  return clientId === null || LOOKS_SECRET.test(clientId) ? null : clientId.slice(0, CLIENT_ID_LIMIT);
}

/** A short id to tell the caller and to find the true cause by: 50 random bits. Not a secret. */
export function mintErrorId(random: Random): string {
  return Array.from(random(ID_LENGTH), (byte) => ID_ALPHABET[byte & 31]).join("");
}

/**
 * Writes the true cause to the failure ledger and returns the id that the caller is told (D13).
 * Never throws: a refusal must not turn into a failure because it could not be noted.
 */
export async function recordRefusal(
  error: OAuthError,
  at: RefusedAt,
  deps: Pick<Deps, "store" | "now" | "random" | "onError">,
  caller: Caller,
): Promise<string> {
  const errorId = mintErrorId(deps.random);
  const clientId = claimedId(at);
  caller.onRefusal?.({ errorId, cause: error.refusalCause, clientId });
  if (error.refusalCause === "internal" || error.refusalCause === "store_unavailable") deps.onError?.(error.cause ?? error, errorId);
  if (error.refusalCause === "store_unavailable") return errorId; // the ledger is in the same store: writing to it would only make everybody wait
  try {
    await deps.store.recordRefusal({
      errorId,
      at: deps.now(),
      endpoint: at.endpoint,
      error: error.code,
      cause: error.refusalCause,
      message: error.message.slice(0, MESSAGE_LIMIT),
      detail: error.detail,
      clientId,
      address: caller.address,
    });
  } catch (failure) {
    deps.onError?.(failure, errorId);
  }
  return errorId;
}

/**
 * Any thrown value as an OAuthError: a store that cannot serve now becomes `temporarily_unavailable` with `Retry-After` (RFC 9110
 * §15.6.4), what we did not foresee becomes `server_error` and says nothing on the wire.
 */
export function asOAuthError(thrown: unknown): OAuthError {
  if (thrown instanceof OAuthError) return thrown;
  const outage = findStoreUnavailable(thrown);
  if (outage) {
    const headers = { "Retry-After": String(outage.retryAfterSeconds) };
    const description = "Our database cannot serve this request right now. Try again in a few seconds.";
    return new OAuthError("temporarily_unavailable", "store_unavailable", outage.message, { description, headers, cause: thrown });
  }
  // Its message may quote what a query was given; the log, which strips that, has the rest under the same error id.
  const message = `unforeseen: ${thrown instanceof Error ? thrown.name : typeof thrown}`;
  return new OAuthError("server_error", "internal", message, { description: "Something went wrong on our side.", cause: thrown });
}

/**
 * The one exit of refusals to HTTP as JSON. In: anything thrown. Out: `{error, error_description?, error_id}`, never cached.
 * The body of an `invalid_client` carries no id, so that an unknown client and a wrong secret look the same (N23). OAuth 2.1 §3.2.4.
 */
export async function refuse(
  thrown: unknown,
  at: RefusedAt,
  deps: Deps,
  caller: Caller,
  headers: Record<string, string> = {},
): Promise<Response> {
  const error = asOAuthError(thrown);
  const everyday = EVERYDAY.has(error.refusalCause);
  if (everyday) caller.onRefusal?.({ errorId: null, cause: error.refusalCause, clientId: claimedId(at) });
  const errorId = everyday ? undefined : await recordRefusal(error, at, deps, caller);
  const body = {
    error: error.code,
    ...(error.description !== undefined && { error_description: error.description }),
    ...(errorId !== undefined && error.code !== "invalid_client" && { error_id: errorId }),
  };
  return new Response(JSON.stringify(body), {
    status: error.status,
    headers: {
      "Content-Type": "application/json",
      "Cache-Control": "no-store",
      ...(errorId !== undefined && { "Gatehouse-Error-Id": errorId }),
      // CF-27: the only 401 of the endpoints that authenticate clients. RFC 9110 §15.5.2.
      ...(error.code === "invalid_client" && { "WWW-Authenticate": 'Basic realm="gatehouse"' }),
      ...headers,
      ...error.headers,
    },
  });
}
