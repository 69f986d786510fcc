import { recipientOf } from "@gatehouse/accounts";
import { timeOfId } from "@gatehouse/auth";
import { toPage } from "@gatehouse/db/query/page";
import { saveAccountRecord } from "@gatehouse/db/stores/accounts/account-records";
import { findMail, type MailRow, requeueMail } from "@gatehouse/db/stores/jobs/mails";
import { auditRow, auditWrite } from "../audit/entry.ts";
import type { OperationDeps } from "../deps.ts";
import { DomainError } from "../domain-error.ts";
import type { ListInput } from "../lists/filter.ts";
import type { MailFilter } from "../lists/lists.ts";
import { positionOf } from "../paging.ts";
import type { Author } from "../permissions.ts";
import { adviceFor } from "./advice.ts";
import { listMailRows } from "./queries.ts";
import { findMailTrouble } from "./trouble.ts";

const viewOf = ({ payload, ...row }: MailRow) => ({
  ...row,
  advice: row.answer === null || row.state === "sent" ? null : adviceFor(row.answer),
  canRetry: row.state === "failed" && payload !== null,
});

/** A page of the outbox, newest first, without what the mails say. */
export async function listMails(
  { cursor, limit, ...filter }: ListInput<MailFilter>,
  { reads, lists = reads }: Pick<OperationDeps, "lists" | "reads">,
) {
  const found = await listMailRows(
    lists,
    { ...filter, recipient: filter.recipient?.toLowerCase() },
    positionOf(cursor),
    limit,
  );
  const { items, ...page } = toPage(found, limit, ({ id }) => ({ at: timeOfId(id), id }));
  return { items: items.map(viewOf), ...page };
}

/** Where mail goes, and whether it is held back or not taken. */
export async function mailStatus(deps: Pick<OperationDeps, "outbox" | "reads" | "now">) {
  const delivery = deps.outbox?.delivery ?? "off";
  const found = delivery === "smtp" ? await findMailTrouble(deps) : null;
  const trouble = found && { ...found, advice: found.answer === null ? null : adviceFor(found.answer) };
  return { delivery, burstSeconds: (await deps.outbox?.burstSeconds()) ?? 0, trouble };
}

/** Sends a mail to the admin who asks, to see whether it arrives. Throws `conflict` where mail is off. CO-69. */
export async function sendTestMail(
  author: Author,
  deps: Pick<OperationDeps, "db" | "people" | "mail" | "accounts" | "now" | "random">,
): Promise<{ id: string; to: string }> {
  if (!deps.mail.available)
    throw new DomainError("conflict", "Mail is off, because no mail server is set. Set one first.");
  const account = await deps.people.findAccount(author.id);
  if (!account) throw new DomainError("not_found", "There is no user to send the mail to.");
  const to = { ...recipientOf(account), userId: account.id, locale: account.locale ?? deps.accounts.defaultLocale };
  const mail = deps.mail.compose("test_mail", { ...to, data: { at: deps.now() } });
  await saveAccountRecord(deps.db, {
    mails: [mail],
    audit: [auditRow(author, { action: "mail.test", object: mail.id, objectName: account.email }, deps)],
  });
  return { id: mail.id, to: account.email };
}

/**
 * One mail of the outbox, without what it says: whether it was sent, and what the server answered. Throws `not_found`.
 */
export async function getMail(id: string, { db }: Pick<OperationDeps, "db">) {
  const row = await findMail(db, id);
  if (row) return viewOf(row);
  throw notFound(id);
}

/**
 * Sends a failed mail again, from its first attempt. Throws `conflict` if it has not failed, or what it said is
 * deleted.
 */
export async function retryMail(
  id: string,
  actor: Author,
  deps: Pick<OperationDeps, "db" | "now" | "random">,
): Promise<void> {
  const mail = await findMail(deps.db, id);
  if (!mail) throw notFound(id);
  const audit = auditWrite(actor, { action: "mail.retry", object: id, objectName: mail.recipient }, deps);
  if (await requeueMail(deps.db, { id }, deps.now(), [audit])) return;
  throw new DomainError(
    "conflict",
    "Only a failed mail whose content is still stored can be sent again. Ask the user to repeat what caused it.",
  );
}

/**
 * A mail as its recipient would read it. Throws `not_found` where mails are sent, and for a mail that was not to be
 * sent. EM-02.
 */
export async function readMailContent(id: string, { outbox, db }: Pick<OperationDeps, "outbox" | "db">) {
  if (outbox?.delivery !== "mailbox")
    throw new DomainError(
      "not_found",
      "What mails say is shown only on http://localhost, while no mail server is set.",
    );
  const row = await findMail(db, id);
  const mail = row && outbox.read(row);
  if (!mail) throw notFound(id);
  const { subject, text, html, link = null, code = null } = mail;
  return { subject, text, html, link, code };
}

function notFound(id: string): DomainError {
  return new DomainError("not_found", `There is no mail ${id}.`);
}
