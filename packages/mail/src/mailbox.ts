import type { MailRow } from "@gatehouse/db/stores/jobs/mails";
import type { OpenedMail } from "./render.ts";

/**
 * One line for the terminal, with what a developer needs next: the link or the code. Only for mailboxes on loopback:
 * anybody who reads the line can use it. EM-02.
 */
export function announceMail({ recipient }: Pick<MailRow, "recipient">, { subject, link, code }: OpenedMail): string {
  const useful = [code, link].filter((part) => part !== undefined).join(" ");
  return `› Mail to ${recipient}: ${subject}${useful && ` · ${useful}`}`;
}
