import { and, eq, sql } from "drizzle-orm";
import { databaseNow, inSeconds } from "../../query/clock.ts";
import type { Db } from "../../query/db.ts";

/**
 * Takes or renews a lease for `seconds`. Returns whether `holder` holds it now: it did already, or the lease was free.
 * Of several callers with different holders, one gets it. Names and holders are any text; times are the database's.
 * OP-22.
 */
export async function holdLease(db: Db, name: string, holder: string, seconds: number): Promise<boolean> {
  const { leases } = db.tables;
  const until = inSeconds(db, seconds);
  const held = await db
    .upsert(leases)
    .values({ name, holder, until })
    .onConflictDoUpdate({
      target: leases.name,
      set: { holder, until },
      setWhere: sql`${leases.until} <= ${databaseNow(db)} or ${leases.holder} = ${holder}`,
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

const NOBODY = "";
