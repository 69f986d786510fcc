import { type Hash, sha256 } from "../crypto/secret.ts";
import type { Deps } from "../deps.ts";
import { OAuthError } from "../errors/error.ts";
import type { RefusalCause, RefusalDetail } from "../errors/refusal.ts";
import { type AuthorizationParameters, readParameters } from "./parameters.ts";

/** Prefix of the `request_uri` of a pushed request; a secret follows. RFC 9126 §2.2. */
export const REQUEST_URI_PREFIX = "urn:ietf:params:oauth:request_uri:";

/**
 * The effective parameters: only those of the pushed request when `request_uri` refers to one (PA-03). Throws
 * `invalid_request_uri`, which appears on our own page because nothing is proven yet. A `request_uri` of another kind
 * stays in the parameters and is rejected later (AZ-27).
 */
export async function readPushedRequest(
  parameters: AuthorizationParameters,
  deps: Pick<Deps, "store" | "now">,
): Promise<AuthorizationParameters> {
  const { request_uri: reference = "", client_id: clientId } = parameters.values;
  if (!reference.startsWith(REQUEST_URI_PREFIX)) return parameters;
  const pushed = await deps.store.findPushedRequest(sha256(reference.slice(REQUEST_URI_PREFIX.length)));
  if (!pushed) throw invalidRequestUri("pushed_request_unknown", "no pushed request has this request_uri");
  if (pushed.clientId !== clientId) {
    throw invalidRequestUri("pushed_request_of_other_client", "pushed by another client", {
      pushedBy: pushed.clientId,
    });
  }
  if (pushed.usedAt !== null)
    throw invalidRequestUri("pushed_request_used", "the user has already decided on this request");
  const expiredBySeconds = deps.now() - pushed.expiresAt;
  if (expiredBySeconds >= 0)
    throw invalidRequestUri("pushed_request_expired", "the request_uri has expired", { expiredBySeconds });

  const params = new URLSearchParams(pushed.parameters);
  if (pushed.dpopJkt !== null) params.set("dpop_jkt", pushed.dpopJkt);
  return readParameters(params, pushed.hash, pushed.exemptionId);
}

/** Spends a pushed request when the user has decided: once, however many pages are open. PA-04. */
export async function spendPushedRequest(hash: Hash | undefined, deps: Pick<Deps, "store" | "now">): Promise<void> {
  if (hash === undefined || (await deps.store.usePushedRequest(hash, deps.now()))) return;
  throw invalidRequestUri("pushed_request_used", "the user has already decided on this request");
}

function invalidRequestUri(cause: RefusalCause, message: string, detail: RefusalDetail = {}): OAuthError {
  const description = "This request is unknown, has expired or was already answered. Start again from the application.";
  return new OAuthError("invalid_request_uri", cause, message, { description, detail });
}
