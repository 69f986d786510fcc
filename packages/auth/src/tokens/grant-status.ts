import { OAuthError } from "../errors/error.ts";
import type { RefusalCause, RefusalDetail } from "../errors/refusal.ts";
import type { GrantStatus } from "../store/grants.ts";

/**
 * Why an unspent, unexpired credential is no longer valid; undefined when its grant, client and user are active. AC-10,
 * RT-08.
 */
export function grantProblem(status: GrantStatus): RefusalCause | undefined {
  if (status.userDisabledAt !== null) return "user_disabled"; // first, because disabling a user also revokes the grant
  if (!status.clientEnabled) return "client_disabled";
  if (status.grantRevokedAt !== null) return "grant_revoked";
  return undefined;
}

/** Throws `invalid_grant` when the grant, the client or the user behind a credential is no longer active. */
export function requireActiveGrant(status: GrantStatus & { userId: string | null }): void {
  const cause = grantProblem(status);
  if (cause !== undefined)
    throw invalidGrant(cause, `the credential is no longer valid: ${cause.replaceAll("_", " ")}`, ofUser(status));
}

/** Names the user whose credential it was, so that the ledger's entry is found at the user's page too. CO-62. */
export const ofUser = ({ userId }: { userId: string | null }): RefusalDetail => (userId === null ? {} : { userId });

/**
 * `invalid_grant` with the same description whatever is wrong with the credential; only the ledger tells the causes
 * apart.
 */
export function invalidGrant(cause: RefusalCause, message: string, detail: RefusalDetail = {}): OAuthError {
  return new OAuthError("invalid_grant", cause, message, {
    description: "The code or token is unknown, expired, used, revoked or not valid for this request.",
    detail,
  });
}
