import type { AccountDeps } from "../deps.ts";
import type { RequestedMail } from "../mails/composer.ts";
import type { NewMailedToken } from "../store/mailed-tokens.ts";

/**
 * Saves a token with the mail that carries it, which voids the earlier one. If the mail is held back, the earlier token
 * stays: otherwise strangers could void what the owner was mailed, and nothing would replace it. AB-07.
 */
export function saveRequestedToken(
  token: NewMailedToken,
  mail: RequestedMail,
  { people }: Pick<AccountDeps, "people">,
): Promise<void> {
  return mail.heldBack ? people.record({ mails: [mail] }) : people.saveMailedToken(token, { mails: [mail] });
}
