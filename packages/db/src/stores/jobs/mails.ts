import type { MailState, NewMail } from "@gatehouse/accounts";
import { timeOrderedIdsFrom } from "@gatehouse/auth";
import { and, eq, gte, inArray, isNotNull, lt } from "drizzle-orm";
import { BATCH } from "../../query/batches.ts";
import type { Db, ReadDb, WriteQuery } from "../../query/db.ts";
import { type Pace, UNPACED } from "../../sweep/pace.ts";
import { jobInsert } from "./jobs.ts";

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
export function mailWrites(db: Db, mail: NewMail): WriteQuery[] {
  const { tables } = db;
  return [db.insert(tables.mails).values({ ...mail, state: "queued" }), sending(db, mail)];
}

function sending(db: Db, { id, createdAt }: Pick<NewMail, "id" | "createdAt">): WriteQuery {
  const payload: MailJob = { mailId: id };
  return jobInsert(db, { id, queue: MAIL_QUEUE, payload, createdAt });
}

export async function findMail(db: ReadDb, id: string): Promise<MailRow | undefined> {
  const { mails } = db.tables;
  const [row] = await db.select().from(mails).where(eq(mails.id, id));
  return row;
}

export type MailEnd = {
  state: Exclude<MailState, "queued">;
  answer: string | null;
  attempts: number;
  at: number;
  wipe: boolean;
};

/** The write that ends a mail. `wipe` deletes what it said. */
export function mailEnd(db: Db, id: string, { state, answer, attempts, at, wipe }: MailEnd): WriteQuery {
  const { mails } = db.tables;
  return db
    .update(mails)
    .set({ state, answer, attempts, ...(state === "sent" && { sentAt: at }), ...(wipe && { payload: null }) })
    .where(and(eq(mails.id, id), eq(mails.state, "queued")));
}

/** Records a failed attempt that will be repeated. */
export async function recordMailAttempt(
  db: Db,
  id: string,
  { attempts, answer }: { attempts: number; answer: string },
): Promise<void> {
  const { mails } = db.tables;
  await db
    .update(mails)
    .set({ attempts, answer })
    .where(and(eq(mails.id, id), eq(mails.state, "queued")));
}

/** What mails say is kept this long, if they are not sent before: for another attempt, or in the mailbox. */
const CONTENT_SECONDS = 7 * 86_400;

/** Deletes what old mails say. EM-03. */
export async function wipeOldMails(db: Db, now: number, pace: Pace = UNPACED): Promise<void> {
  const { mails } = db.tables;
  const [before, from] = [timeOrderedIdsFrom(now - CONTENT_SECONDS), timeOrderedIdsFrom(now - 2 * CONTENT_SECONDS)];
  const old = and(lt(mails.id, before), gte(mails.id, from), isNotNull(mails.payload));
  for (let rows = BATCH; rows === BATCH && !pace.stopped; ) {
    const some = db.select({ id: mails.id }).from(mails).where(old).limit(BATCH);
    const update = () =>
      db.update(mails).set({ payload: null }).where(inArray(mails.id, some)).returning({ id: mails.id });
    rows = (await pace.run(update)).length;
  }
}

/** Puts a failed mail back into the outbox. False if there is no such mail, or its content is gone. */
export function requeueMail(
  db: Db,
  mail: Pick<MailRow, "id">,
  now: number,
  rest: readonly WriteQuery[] = [],
): Promise<boolean> {
  const { mails } = db.tables;
  const queued = db
    .update(mails)
    .set({ state: "queued", attempts: 0 })
    .where(and(eq(mails.id, mail.id), eq(mails.state, "failed"), isNotNull(mails.payload)))
    .returning({ id: mails.id });
  return db.guarded(queued, [sending(db, { id: mail.id, createdAt: now }), ...rest]);
}
