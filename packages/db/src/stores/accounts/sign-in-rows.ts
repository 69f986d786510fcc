import type { SignInAttempt } from "@gatehouse/accounts";
import { and, desc, eq, inArray, lt, sql } from "drizzle-orm";
import { BATCH, inBatches } from "../../query/batches.ts";
import type { Db, WriteQuery } from "../../query/db.ts";
import { type Pace, UNPACED } from "../../sweep/pace.ts";

/** How many rows of the log a bucket keeps: the newest. SL-02. */
export const ROWS_OF_BUCKET = 50;

export type SignInLogRow = SignInAttempt & { bucket: string };

/** Writes attempts, but those of users who are gone, and trims these buckets, in one transaction. */
export async function writeSignIns(
  db: Db,
  rows: readonly SignInLogRow[],
  trimmed: readonly string[] = [],
): Promise<void> {
  const users = await usersAmong(db, [...new Set(rows.flatMap(({ userId }) => userId ?? []))]);
  const written = rows.filter(({ userId }) => userId === null || users.has(userId));
  if (written.length + trimmed.length === 0) return;
  await db.transaction([
    ...inBatches(written).map((some) => rowUpsert(db, some)),
    ...trimmed.map((bucket) => trimWrite(db, bucket)),
  ]);
}

/** The subset of these ids that are users. */
async function usersAmong(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const { users } = db.tables;
  const found = new Set<string>();
  for (const some of inBatches(ids)) {
    for (const { id } of await db.select({ id: users.id }).from(users).where(inArray(users.id, some))) found.add(id);
  }
  return found;
}

/** An attempt that was unfinished goes on under its id. */
function rowUpsert(db: Db, rows: SignInLogRow[]): WriteQuery {
  const { signIns: s } = db.tables;
  return db
    .upsert(s)
    .values(rows)
    .onConflictDoUpdate({
      target: s.id,
      set: {
        outcome: sql`excluded.outcome`,
        cause: sql`excluded.cause`,
        level: sql`excluded.level`,
        detail: sql`excluded.detail`,
        bucket: sql`excluded.bucket`,
      },
    });
}

function trimWrite(db: Db, bucket: string): WriteQuery {
  const { signIns: s } = db.tables;
  const beyond = db
    .select({ id: s.id })
    .from(s)
    .where(eq(s.bucket, bucket))
    .orderBy(desc(s.bucket), desc(s.id))
    .limit(BATCH)
    .offset(ROWS_OF_BUCKET);
  return db.delete(s).where(and(eq(s.bucket, bucket), inArray(s.id, beyond)));
}

/** Forgets what was typed before `id`, where no account had it. */
export async function forgetTypedEmails(db: Db, before: string, pace: Pace = UNPACED): Promise<void> {
  const { signIns: s } = db.tables;
  const typed = and(sql`${s.typedEmail} is not null`, lt(s.id, before));
  for (let rows = BATCH; rows === BATCH && !pace.stopped; ) {
    const some = db.select({ id: s.id }).from(s).where(typed).limit(BATCH);
    const update = () => db.update(s).set({ typedEmail: null }).where(inArray(s.id, some)).returning({ id: s.id });
    rows = (await pace.run(update)).length;
  }
}
