import { isRpIdOf } from "@gatehouse/accounts";
import type { OperationDeps } from "@gatehouse/console/deps";

/**
 * Refuses to start if stored passkeys are bound to an RP ID that the settings do not name: they would all stop working,
 * and users without another way in would be locked out. WA-01.
 */
export async function assertPasskeyDomain({
  accounts,
  people,
  config,
}: Pick<OperationDeps, "accounts" | "people" | "config">): Promise<void> {
  const { passkeys, formerRpIds } = accounts;
  const stored = await people.findOtherRpId(passkeys ? [passkeys.rpId, ...formerRpIds] : formerRpIds);
  if (stored === undefined) return;
  const now = passkeys ? `uses ${passkeys.rpId}` : "has an IP address as its issuer, for which there are no passkeys";
  const keep = isRpIdOf(stored, config.issuer) ? `set GATEHOUSE_WEBAUTHN_RP_ID=${stored}` : "set GATEHOUSE_ISSUER back";
  throw new Error(
    `There are passkeys for ${stored}, but this installation ${now}. Users without another sign-in method could no longer sign in. ` +
      `To keep these passkeys working, ${keep}. To start without them, add ${stored} to GATEHOUSE_WEBAUTHN_FORMER_RP_IDS`,
  );
}
