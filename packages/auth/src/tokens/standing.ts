import { OAuthError } from "../errors/error.ts";
import type { RefusalCause } from "../errors/refusal.ts";
import type { Standing } from "../store/grants.ts";

/** Why a credential is dead although it is neither spent nor expired; undefined while all it hangs on stands. AC-10, RT-08. */
export function fallen(standing: Standing): RefusalCause | undefined {
  if (standing.userDisabledAt !== null) return "user_disabled"; // before the grant, which disabling revokes
  if (!standing.clientEnabled) return "client_disabled";
  if (standing.grantRevokedAt !== null) return "grant_revoked";
  return undefined;
}

/** Throws `invalid_grant` when the grant, the client or the user behind a credential has fallen since. */
export function requireStanding(standing: Standing): void {
  const cause = fallen(standing);
  if (cause !== undefined) throw invalidGrant(cause, `what it was issued for has ended: ${cause.replaceAll("_", " ")}`);
}

/** `invalid_grant` with one sentence for everything that may be wrong with a presented credential; the ledger tells them apart. */
export function invalidGrant(
  reason: RefusalCause,
  message: string,
  detail: Record<string, string | number | boolean | null> = {},
): OAuthError {
  return new OAuthError("invalid_grant", reason, message, {
    description: "The code or token is unknown, expired, used, revoked or not meant for this request.",
    detail,
  });
}
