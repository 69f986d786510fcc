import type { Account, AccountDeps, Passkey } from "@gatehouse/accounts";

/**
 * Lets the password manager forget a passkey that no account has. It deletes for good, so it is never sent for any
 * other. WA-10.
 */
export function unknownPasskeySignals(
  credentialID: string | undefined,
  { accounts }: Pick<AccountDeps, "accounts">,
): readonly object[] {
  const rpID = accounts.passkeys?.rpId;
  return credentialID === undefined || rpID === undefined
    ? []
    : [{ signalName: "unknownCredential", rpID, credentialID }];
}

/**
 * Tells the password manager which passkeys the account has, and the names to show for it. On pages of signed-in users
 * only. WA-10.
 */
export function accountPasskeySignals(
  { webauthnUserId, email, name }: Account,
  passkeys: readonly Passkey[],
  { accounts }: Pick<AccountDeps, "accounts">,
): readonly object[] {
  const rpID = accounts.passkeys?.rpId;
  if (rpID === undefined || webauthnUserId === null) return [];
  const allAcceptedCredentialIDs = passkeys.map(({ credentialId }) => credentialId);
  return [
    { signalName: "allAcceptedCredentials", rpID, userID: webauthnUserId, allAcceptedCredentialIDs },
    { signalName: "currentUserDetails", rpID, userID: webauthnUserId, userName: email, userDisplayName: name },
  ];
}
