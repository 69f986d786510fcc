import { GuardError } from "@gatehouse/guard";
import { BodyError } from "@gatehouse/runtime";
import { PREFIX, type Random } from "../crypto/secret.ts";
import type { Caller, Deps } from "../deps.ts";
import { bodyRefusal } from "../http/body.ts";
import { findStoreUnavailable } from "../store/unavailable.ts";
import { OAuthError } from "./error.ts";
import type { RefusalCause } from "./refusal.ts";

/** Crockford's base 32: no letter looks or sounds like a digit. */
const ID_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const ID_LENGTH = 10;
const MESSAGE_LIMIT = 500;
/** A claimed client id can be anything; real ones are far shorter. */
const CLIENT_ID_LIMIT = 200;

/** Errors that the protocol uses as ordinary steps. Recording them would bury the real failures. */
const EXPECTED_CAUSES: ReadonlySet<RefusalCause> = new Set([
  "device_pending",
  "token_missing",
  "dpop_nonce_missing",
  "authentication_too_weak",
  "authentication_too_old",
]);

/**
 * Normalises an error id that a person typed: upper case, no spaces, and the letters O, I and L read as the digits they
 * look like.
 */
export function normaliseErrorId(typed: string): string {
  return typed.replace(/\s/g, "").toUpperCase().replaceAll("O", "0").replace(/[IL]/g, "1");
}

const LOOKS_SECRET = new RegExp(`(?:${Object.values(PREFIX).join("|")})[\\w-]{20}`);

/** The error of a refused request: of the protocol, or of the guard that products share. */
type Refused = OAuthError | GuardError;

/** Where a refusal happened, and the client id that the request claimed. */
export type RefusedAt = { endpoint: string; clientId: string | null };

/** Truncated; null when a client sent one of our secrets as its id. */
function claimedId({ clientId }: RefusedAt): string | null {
  return clientId === null || LOOKS_SECRET.test(clientId) ? null : clientId.slice(0, CLIENT_ID_LIMIT);
}

/** A short id that leads from a response to the true cause: 50 random bits. Not a secret. */
function mintErrorId(random: Random): string {
  return Array.from(random(ID_LENGTH), (byte) => ID_ALPHABET[byte & 31]).join("");
}

/**
 * Records a refusal with its true cause in the failure ledger and returns the id for the caller (D13). Never throws: a
 * refusal must not fail because it could not be recorded.
 */
export async function recordRefusal(
  error: Refused,
  at: RefusedAt,
  deps: Pick<Deps, "store" | "now" | "random" | "usage" | "onError">,
  caller: Caller,
): Promise<string> {
  const errorId = mintErrorId(deps.random);
  const clientId = claimedId(at);
  caller.onRefusal?.({ errorId, cause: error.refusalCause, clientId });
  deps.usage?.refused(error.refusalCause, clientId, at.endpoint);
  if (error.refusalCause === "internal" || error.refusalCause === "store_unavailable")
    deps.onError?.(error.cause ?? error, errorId, caller.requestId);
  // The ledger is in the same database: do not wait for it
  if (error.refusalCause === "store_unavailable") return errorId;
  await enter(errorId, error, at, deps, caller);
  return errorId;
}

/** Notes something about a request that went on, in the failure ledger alone. Never throws. */
export async function recordNote(error: OAuthError, at: RefusedAt, deps: LedgerDeps, caller: Caller): Promise<void> {
  await enter(mintErrorId(deps.random), error, at, deps, caller);
}

type LedgerDeps = Pick<Deps, "store" | "now" | "random" | "onError">;

async function enter(errorId: string, error: Refused, at: RefusedAt, deps: LedgerDeps, caller: Caller): Promise<void> {
  try {
    await deps.store.recordRefusal({
      errorId,
      at: deps.now(),
      endpoint: at.endpoint,
      error: error.code,
      cause: error.refusalCause,
      message: error.message.slice(0, MESSAGE_LIMIT),
      detail: error.detail,
      clientId: claimedId(at),
      address: caller.address,
    });
  } catch (cause) {
    deps.onError?.(new Error("the failure ledger could not be written", { cause }), errorId, caller.requestId);
  }
}

/**
 * Converts any thrown value to an OAuthError. An unavailable store becomes `temporarily_unavailable` with `Retry-After`
 * (RFC 9110 §15.6.4); anything unexpected becomes `server_error` and reveals nothing in the response.
 */
export function asOAuthError(thrown: unknown): OAuthError {
  if (thrown instanceof OAuthError) return thrown;
  if (thrown instanceof GuardError) return ofGuard(thrown);
  if (thrown instanceof BodyError) return bodyRefusal(thrown);
  const outage = findStoreUnavailable(thrown);
  if (outage) {
    const headers = { "Retry-After": String(outage.retryAfterSeconds) };
    const description = "Our database cannot serve this request right now. Try again in a few seconds.";
    return new OAuthError("temporarily_unavailable", "store_unavailable", outage.message, {
      description,
      headers,
      cause: thrown,
    });
  }
  // The message may quote query parameters. The log, which strips them, has it under the same error id.
  const message = `unexpected: ${thrown instanceof Error ? thrown.name : typeof thrown}`;
  return new OAuthError("server_error", "internal", message, {
    description: "Something went wrong on our side.",
    cause: thrown,
  });
}

function ofGuard({ code, refusalCause, message, status, description, detail, headers }: GuardError): OAuthError {
  const described = description === undefined ? {} : { description };
  return new OAuthError(code, refusalCause, message, { status, detail, headers, ...described });
}

/** As {@link asOAuthError}, but leaves errors of the guard as they are: a second error costs as much as the checks. */
export function asRefused(thrown: unknown): Refused {
  return thrown instanceof GuardError ? thrown : asOAuthError(thrown);
}

/**
 * Turns anything thrown into a JSON response, `{error, error_description?, error_id}`, and records it. Never cached.
 * The body of `invalid_client` has no id, so that an unknown client and a wrong secret look the same (N23). OAuth 2.1
 * §3.2.4.
 */
export async function refuse(
  thrown: unknown,
  at: RefusedAt,
  deps: Deps,
  caller: Caller,
  headers: Record<string, string> = {},
): Promise<Response> {
  const error = asRefused(thrown);
  const expected = EXPECTED_CAUSES.has(error.refusalCause);
  if (expected) caller.onRefusal?.({ errorId: null, cause: error.refusalCause, clientId: claimedId(at) });
  const errorId = expected ? undefined : await recordRefusal(error, at, deps, caller);
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
      // CF-27: endpoints that authenticate clients send no other 401. RFC 9110 §15.5.2.
      ...(error.code === "invalid_client" && { "WWW-Authenticate": 'Basic realm="gatehouse"' }),
      ...headers,
      ...error.headers,
    },
  });
}
