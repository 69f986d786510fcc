import { and, eq, lte, or, sql } from "drizzle-orm";
import { databaseNow, inSeconds } from "../../query/clock.ts";
import type { Db } from "../../query/db.ts";

/** How far the clocks of two databases may differ, for example after a fail-over. */
const SKEW_SECONDS = 60;
const DAY_SECONDS = 86_400;

/**
 * Takes or renews a lease for `seconds`. Returns whether `holder` holds it now: it did already, or the lease was free.
 * Of several callers with different holders, one gets it. Names and holders are any text; times are the database's. One
 * that ends later than `longest` seconds from now, which nobody takes it for, was taken by a clock that has been set
 * back since, and counts as free. OP-22, OP-84.
 */
export async function holdLease(
  db: Db,
  name: string,
  holder: string,
  seconds: number,
  longest: number = Math.max(seconds, DAY_SECONDS),
): Promise<boolean> {
  const { leases } = db.tables;
  const until = inSeconds(db, seconds);
  const held = await db
    .upsert(leases)
    .values({ name, holder, until })
    .onConflictDoUpdate({
      target: leases.name,
      set: { holder, until },
      setWhere: sql`${leases.until} <= ${databaseNow(db)} or ${leases.holder} = ${holder} or ${leases.until} > ${inSeconds(db, longest + SKEW_SECONDS)}`,
    })
    .returning({ name: leases.name });
  return held.length === 1;
}

/**
 * Ends the turn of `holder`: the lease is free in `seconds`, and until then nobody gets it, not even `holder`. With 0,
 * it is free at once. Does nothing if another process holds it.
 */
export async function endLease(db: Db, name: string, holder: string, seconds: number): Promise<void> {
  const { leases } = db.tables;
  await db
    .update(leases)
    .set({ holder: NOBODY, until: inSeconds(db, seconds) })
    .where(and(eq(leases.name, name), eq(leases.holder, holder)));
}

/** Ends the lease of `holder` for work that has no next turn. Does nothing if another process holds it. */
export async function dropLease(db: Db, name: string, holder: string): Promise<void> {
  const { leases } = db.tables;
  await db.delete(leases).where(and(eq(leases.name, name), eq(leases.holder, holder)));
}

/** Forgets a task that this server no longer schedules, unless another one does it now: nobody waits for its turn. */
export async function forgetLease(db: Db, name: string): Promise<void> {
  const { leases } = db.tables;
  const isIdle = or(eq(leases.holder, NOBODY), lte(leases.until, databaseNow(db)));
  await db.delete(leases).where(and(eq(leases.name, name), isIdle));
}

const NOBODY = "";
