import { authenticationChallenge } from "@gatehouse/guard/routes";
import { NO_STORE } from "../cookies/response.ts";
import { GatehouseError, type GatehouseErrorCode } from "../error.ts";
import type { Refusal } from "./refusal.ts";

const CODES: Record<Refusal["reason"], GatehouseErrorCode> = {
  signed_out: "signed_out",
  insufficient_scope: "insufficient_scope",
  sign_in_too_old: "insufficient_user_authentication",
  unavailable: "unavailable",
  cross_origin: "cross_origin",
};

const DESCRIPTIONS: Record<Refusal["reason"], string> = {
  signed_out: "This needs a signed-in user.",
  insufficient_scope: "The signed-in user lacks a required scope.",
  sign_in_too_old: "This needs a more recent or a stronger sign-in.",
  unavailable: "The sign-in cannot be checked right now. Try again.",
  cross_origin: "Only pages of this app can send this request.",
};

/** The refusal as an error, for callers that are no HTTP requests, such as Server Actions. */
export function errorOf(refusal: Refusal): GatehouseError {
  const { reason } = refusal;
  const retryAfterSeconds = reason === "unavailable" ? refusal.retryAfterSeconds : undefined;
  return new GatehouseError(CODES[reason], DESCRIPTIONS[reason], { retryAfterSeconds });
}

/** The refusal for a program: its status, the same error in the body, and the challenge of a 401. PK-60. */
export function refuseAsJson(refusal: Refusal): Response {
  const { status, message } = errorOf(refusal);
  const error = refusal.reason === "signed_out" ? "unauthenticated" : CODES[refusal.reason];
  const needed = refusal.reason === "insufficient_scope" ? { scope: refusal.scope.join(" ") } : {};
  const body = JSON.stringify({ error, error_description: message, ...needed });
  return new Response(body, {
    status,
    headers: { "content-type": "application/json", ...NO_STORE, ...challengeOf(refusal), ...retryAfterOf(refusal) },
  });
}

/** RFC 9110 §15.5.2: a 401 has a challenge; that of a step-up says what to ask for. RFC 9470 §3. */
function challengeOf(refusal: Refusal): Record<string, string> {
  const realm = 'Cookie realm="gatehouse"';
  if (refusal.reason === "signed_out") return { "www-authenticate": realm };
  if (refusal.reason !== "sign_in_too_old") return {};
  const { maxAge, acr } = refusal;
  const wanted = authenticationChallenge({
    ...(maxAge !== undefined && { maxAgeSeconds: maxAge }),
    ...(acr.length > 0 && { acr }),
  });
  const attributes = [realm, 'error="insufficient_user_authentication"', ...wanted];
  return { "www-authenticate": attributes.join(", ") };
}

export function retryAfterOf(refusal: Refusal): Record<string, string> {
  return refusal.reason === "unavailable" ? { "retry-after": String(refusal.retryAfterSeconds) } : {};
}
