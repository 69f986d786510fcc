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
import type { Outbox } from "./outbox.ts";
import { listMailRows, listWholeMails } from "./queries.ts";
import { findMailTrouble } from "./trouble.ts";

/** How many mails the mailbox shows. */
const MAILBOX_SIZE = 200;

const viewOf = ({ payload, ...row }: MailRow) => ({ ...row, canRetry: row.state === "failed" && payload !== null });

/** A page of the outbox, newest first, without what the mails say. */
export async function listMails(
  { cursor, limit, ...filter }: ListInput<MailFilter>,
  { reads }: Pick<OperationDeps, "reads">,
) {
  const found = await listMailRows(
    reads,
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
  const trouble = delivery === "smtp" ? await findMailTrouble(deps) : null;
  return { delivery, burstSeconds: (await deps.outbox?.burstSeconds()) ?? 0, trouble };
}

/** Sends a mail to the admin who asks, to see whether it arrives. Throws `conflict` where mail is off. CO-69. */
export async function sendTestMail(
  author: Author,
  deps: Pick<OperationDeps, "db" | "people" | "mail" | "accounts" | "now" | "random">,
): Promise<{ id: string; to: string }> {
  if (!deps.mail.available)
    throw new DomainError("conflict", "Mail is off. Set GATEHOUSE_SMTP_URL and GATEHOUSE_MAIL_FROM first.");
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

/** The newest mails of the mailbox. Throws `not_found` on an installation without one. EM-02. */
export async function listMailbox({ outbox, reads }: Pick<OperationDeps, "outbox" | "reads">) {
  const read = mailboxOf(outbox);
  const rows = await listWholeMails(reads, MAILBOX_SIZE);
  return rows.flatMap((row) => {
    const mail = read(row);
    if (!mail) return [];
    const { subject, link = null, code = null } = mail;
    return [
      {
        id: row.id,
        kind: row.kind,
        recipient: row.recipient,
        state: row.state,
        createdAt: row.createdAt,
        subject,
        link,
        code,
      },
    ];
  });
}

/** One mail of the mailbox, whole. Throws `not_found`. */
export async function getMailboxMail(id: string, { outbox, db }: Pick<OperationDeps, "outbox" | "db">) {
  const read = mailboxOf(outbox);
  const row = await findMail(db, id);
  const mail = row && read(row);
  if (!mail) throw notFound(id);
  const { link = null, code = null, ...content } = mail;
  const { kind, recipient, locale, state, createdAt } = row;
  return { id, kind, recipient, locale, state, createdAt, ...content, link, code };
}

function mailboxOf(outbox: Outbox | undefined): Outbox["read"] {
  if (outbox?.delivery === "mailbox") return outbox.read;
  throw new DomainError(
    "not_found",
    "This installation has no mailbox. There is one only on http://localhost without GATEHOUSE_SMTP_URL.",
  );
}

function notFound(id: string): DomainError {
  return new DomainError("not_found", `There is no mail ${id}.`);
}
