import { type Hash, sha256 } from "../crypto/secret.ts";
import type { Deps } from "../deps.ts";
import { OAuthError } from "../errors/error.ts";
import type { RefusalCause, RefusalDetail } from "../errors/refusal.ts";
import { type AuthorizationParameters, readParameters } from "./parameters.ts";

/** How our own references to pushed requests begin; a secret follows. RFC 9126 §2.2. */
export const REQUEST_URI_PREFIX = "urn:ietf:params:oauth:request_uri:";

/**
 * The parameters that count: when the request refers to one that was pushed to us, that one's alone (PA-03). Throws what is
 * shown on our own page, since nothing of the request is proven: `invalid_request_uri`. References of others stay in
 * the parameters, to be refused by name (AZ-27).
 */
export async function readPushedRequest(
  parameters: AuthorizationParameters,
  deps: Pick<Deps, "store" | "now">,
): Promise<AuthorizationParameters> {
  const { request_uri: reference = "", client_id: clientId } = parameters.values;
  if (!reference.startsWith(REQUEST_URI_PREFIX)) return parameters;
  const pushed = await deps.store.findPushedRequest(sha256(reference.slice(REQUEST_URI_PREFIX.length)));
  if (!pushed) throw invalidRequestUri("pushed_request_unknown", "no request was pushed under this request_uri");
  if (pushed.clientId !== clientId) {
    throw invalidRequestUri("pushed_request_of_other_client", "pushed by another client", { pushedBy: pushed.clientId });
  }
  if (pushed.usedAt !== null) throw invalidRequestUri("pushed_request_used", "the user has decided on this request already");
  const expiredBySeconds = deps.now() - pushed.expiresAt;
  if (expiredBySeconds >= 0) throw invalidRequestUri("pushed_request_expired", "the request_uri has expired", { expiredBySeconds });

  const params = new URLSearchParams(pushed.parameters);
  if (pushed.dpopJkt !== null) params.set("dpop_jkt", pushed.dpopJkt);
  return readParameters(params, pushed.hash);
}

/** Spends a pushed request when the user has decided on it: once, however many pages of it are open. PA-04. */
export async function spendPushedRequest(hash: Hash | undefined, deps: Pick<Deps, "store" | "now">): Promise<void> {
  if (hash === undefined || (await deps.store.usePushedRequest(hash, deps.now()))) return;
  throw invalidRequestUri("pushed_request_used", "the user has decided on this request already");
}

function invalidRequestUri(cause: RefusalCause, message: string, detail: RefusalDetail = {}): OAuthError {
  const description = "This request is unknown, has expired or was answered already. Start again from the application.";
  return new OAuthError("invalid_request_uri", cause, message, { description, detail });
}
