import { OAuthError } from "../errors/error.ts";
import type { RefusalCause } from "../errors/refusal.ts";
import type { GrantStatus } from "../store/grants.ts";

/** Why a credential is dead although it is neither spent nor expired; undefined while all it hangs on stands. AC-10, RT-08. */
export function grantProblem(standing: GrantStatus): RefusalCause | undefined {
  if (standing.userDisabledAt !== null) return "user_disabled"; // before the grant, which disabling revokes
  if (!standing.clientEnabled) return "client_disabled";
  if (standing.grantRevokedAt !== null) return "grant_revoked";
  return undefined;
}

/** Throws `invalid_grant` when the grant, the client or the user behind a credential is no longer active. */
export function requireActiveGrant(standing: GrantStatus): void {
  const cause = grantProblem(standing);
  if (cause !== undefined) throw invalidGrant(cause, `what it was issued for has ended: ${cause.replaceAll("_", " ")}`);
}

/** `invalid_grant` with one sentence for everything that may be wrong with a presented credential; the ledger tells them apart. */
export function invalidGrant(
  cause: RefusalCause,
  message: string,
  detail: Record<string, string | number | boolean | null> = {},
): OAuthError {
  return new OAuthError("invalid_grant", cause, message, {
    description: "The code or token is unknown, expired, used, revoked or not meant for this request.",
    detail,
  });
}
