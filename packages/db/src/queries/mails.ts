import type { MailState, NewMail } from "@gatehouse/accounts";
import { timeOfId, timeOrderedIdsFrom } from "@gatehouse/auth";
import type { MailFilter } from "@gatehouse/lists";
import { and, desc, eq, gte, isNotNull, lt } from "drizzle-orm";
import type { Handle, ReadHandle, WriteQuery } from "../query/handle.ts";
import { jobInsert } from "./jobs.ts";
import type { Position } from "./page.ts";
import { equalsUnindexed, type FoundRows, scanPage } from "./scan.ts";

/** The queue of mails; a job's payload is a {@link MailJob}, and its id the mail's. */
export const MAIL_QUEUE = "mail";
export type MailJob = { mailId: string };

/** A mail as stored. */
export type MailRow = Omit<NewMail, "kind" | "payload"> & {
  /** A `MailKind`, or one of an older program. */
  kind: string;
  state: MailState;
  /** Null once the mail has ended. */
  payload: string | null;
  attempts: number;
  /** The SMTP server's last answer, or why the mail was not sent. */
  answer: string | null;
  sentAt: number | null;
};

/** The writes that put a mail into the outbox. */
export function mailWrites(handle: Handle, mail: NewMail): WriteQuery[] {
  const { db, tables } = handle;
  return [db.insert(tables.mails).values({ ...mail, state: "queued" }), sending(handle, mail)];
}

function sending(handle: Handle, { id, createdAt }: Pick<NewMail, "id" | "createdAt">): WriteQuery {
  const payload: MailJob = { mailId: id };
  return jobInsert(handle, { id, queue: MAIL_QUEUE, payload, createdAt });
}

export async function findMail({ db, tables: { mails } }: ReadHandle, id: string): Promise<MailRow | undefined> {
  const [row] = await db.select().from(mails).where(eq(mails.id, id));
  return row;
}

export type MailEnd = { state: Exclude<MailState, "queued">; answer: string | null; attempts: number; at: number; wipe: boolean };

/** The write that ends a mail. `wipe` deletes what it said. */
export function mailEnd({ db, tables: { mails } }: Handle, id: string, { state, answer, attempts, at, wipe }: MailEnd): WriteQuery {
  return db
    .update(mails)
    .set({ state, answer, attempts, ...(state === "sent" && { sentAt: at }), ...(wipe && { payload: null }) })
    .where(and(eq(mails.id, id), eq(mails.state, "queued")));
}

/** Records a failed attempt that will be repeated. */
export async function recordMailAttempt(
  { db, tables: { mails } }: Handle,
  id: string,
  { attempts, answer }: { attempts: number; answer: string },
): Promise<void> {
  await db
    .update(mails)
    .set({ attempts, answer })
    .where(and(eq(mails.id, id), eq(mails.state, "queued")));
}

/** Newest first. `maxRows`: how many rows to examine if no index serves the filter. */
export function listMailRows(
  handle: ReadHandle,
  { recipient, state }: MailFilter,
  position: Position | undefined,
  limit: number,
  maxRows?: number,
): Promise<FoundRows<MailRow>> {
  const { db, tables } = handle;
  const { mails } = tables;
  const equal = recipient === undefined ? undefined : { column: mails.recipient, value: recipient };
  const index = { table: mails, id: mails.id, idsFrom: timeOrderedIdsFrom, timeOf: timeOfId, equal };
  return scanPage(handle, { index, residual: equalsUnindexed(mails.state, state), position, limit, maxRows }, (condition, order) =>
    db
      .select()
      .from(mails)
      .where(condition)
      .orderBy(...order)
      .limit(limit + 1),
  );
}

/** The newest mails that were written at or after `since`. */
export async function listNewestMails({ db, tables: { mails } }: ReadHandle, since: number, limit: number): Promise<MailRow[]> {
  return db.select().from(mails).where(gte(mails.createdAt, since)).orderBy(desc(mails.createdAt), desc(mails.id)).limit(limit);
}

/** The newest mails that still have their content: those of the mailbox. */
export async function listWholeMails({ db, tables: { mails } }: ReadHandle, limit: number): Promise<MailRow[]> {
  return db.select().from(mails).where(isNotNull(mails.payload)).orderBy(desc(mails.id)).limit(limit);
}

/** What mails say is kept this long, if they are not sent before: for another attempt, or in the mailbox. */
const CONTENT_SECONDS = 7 * 86_400;

/** Deletes what old mails say. EM-03. */
export async function wipeOldMails({ db, tables: { mails } }: Handle, now: number): Promise<void> {
  const [before, from] = [timeOrderedIdsFrom(now - CONTENT_SECONDS), timeOrderedIdsFrom(now - 2 * CONTENT_SECONDS)];
  await db
    .update(mails)
    .set({ payload: null })
    .where(and(lt(mails.id, before), gte(mails.id, from), isNotNull(mails.payload)));
}

/** Puts a failed mail back into the outbox. False if there is no such mail, or its content is gone. */
export function requeueMail(handle: Handle, mail: Pick<MailRow, "id">, now: number, rest: readonly WriteQuery[] = []): Promise<boolean> {
  const { mails } = handle.tables;
  const queued = handle.db
    .update(mails)
    .set({ state: "queued", attempts: 0 })
    .where(and(eq(mails.id, mail.id), eq(mails.state, "failed"), isNotNull(mails.payload)))
    .returning({ id: mails.id });
  return handle.guarded(queued, [sending(handle, { id: mail.id, createdAt: now }), ...rest]);
}
