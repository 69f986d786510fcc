import { sha256 } from "@gatehouse/auth";
import type { MailedToken, MailedTokenPurpose, MailedTokenStore } from "../store/mailed-tokens.ts";

/**
 * Purposes whose token is dead once the account has another address. The others are about an address that is not the
 * account's.
 */
export const OF_THE_ACCOUNTS_ADDRESS: ReadonlySet<MailedTokenPurpose> = new Set([
  "verify",
  "reset",
  "sign_in",
  "new_browser",
]);

/**
 * Purposes whose token works in the asking browser alone, code and link. There, only that browser replaces it: anybody
 * can ask for another, and would void the code that the owner is about to type. AB-03, ML-03.
 */
export const OF_ONE_BROWSER: ReadonlySet<MailedTokenPurpose> = new Set(["sign_in", "new_browser"]);

/**
 * Purposes whose token counts while the account is to be deleted. An attacker who changed the address may have deleted
 * the account (EA-03). The others lead to a sign-in, which can restore it (RG-10); those from before the request for
 * deletion are of an earlier sign-in epoch.
 */
export const OUTLIVE_DELETION: ReadonlySet<MailedTokenPurpose> = new Set([
  "email_undo",
  "reset",
  "sign_in",
  "new_browser",
]);

/**
 * Whether a token still counts: not spent or expired, its user enabled, and neither the address nor the sign-in epoch
 * changed since. The statement that spends a token checks the same again.
 */
export function isMailedTokenLive(token: MailedToken, now: number): boolean {
  if (token.spentAt !== null || token.expiresAt <= now) return false;
  if (token.userId === null) return true;
  const { user } = token;
  if (user === null || user.disabledAt !== null) return false;
  if (user.deleteAfter !== null && !OUTLIVE_DELETION.has(token.purpose)) return false;
  if (token.signInEpoch !== null && token.signInEpoch !== user.signInEpoch) return false;
  return !OF_THE_ACCOUNTS_ADDRESS.has(token.purpose) || token.email === user.email;
}

type OpenDeps = { people: Pick<MailedTokenStore, "findMailedToken">; now: () => number };

/**
 * The live token behind a link; undefined if it is unknown, dead, or for something else. Changes nothing, however
 * often. FP-02.
 */
export async function openMailedLink(
  secret: string | undefined,
  purpose: MailedTokenPurpose,
  { people, now }: OpenDeps,
): Promise<MailedToken | undefined> {
  if (secret === undefined || !/^gml_[\w-]{43}$/.test(secret)) return undefined;
  const token = await people.findMailedToken(sha256(secret));
  return token?.purpose === purpose && isMailedTokenLive(token, now()) ? token : undefined;
}
