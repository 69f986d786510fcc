/** What the secret of a user's authenticator app is sealed for. The sealed text is base32. MF-03. */
export function totpPurpose(userId: string): string {
  return `authenticator app of ${userId}`;
}
