import { asc, inArray, type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Db } from "../query/db.ts";
import type { DeadRows } from "./dead-rows.ts";
import type { Pace } from "./pace.ts";

/**
 * How many rows one statement deletes. On SQLite a statement runs on the event loop, and on PostgreSQL it is a round
 * trip.
 */
const BATCH = { sqlite: 200, postgres: 500 } as const;

/** Some rows to delete, in order if there is one. */
type Batch = { table: PgTable; key: PgColumn; condition: SQL | undefined; order?: PgColumn };

/** `finished`: nothing is due any more. */
export type Deleted = { rows: number; finished: boolean };

/** Deletes dead rows in small statements: until nothing is due, or `most` rows are deleted, or the process stops. */
export async function deleteDead(db: Db, dead: DeadRows, most: number, pace: Pace): Promise<Deleted> {
  const size = BATCH[db.dialect];
  let rows = 0;
  let after: unknown;
  while (!pace.stopped) {
    const gone = await pace.run(() => deleteBatch(db, batchOf(dead, after), size));
    rows += gone.length;
    if (gone.length < size) return { rows, finished: true };
    if (rows >= most) break;
    for (const { order } of gone) if (after === undefined || isLater(order, after)) after = order;
  }
  return { rows, finished: false };
}

/** `after`: no later row was deleted before, so that no statement passes the index entries of deleted rows again. */
function batchOf(dead: DeadRows, after: unknown): Batch {
  const { table, key } = dead;
  switch (dead.kind) {
    case "matching":
      return { table, key, condition: dead.condition };
    case "old keys": {
      const end = dead.below !== undefined && dead.below < dead.end ? dead.below : dead.end;
      return { table, key, order: key, condition: sql`${key} > ${after ?? ""} and ${key} < ${end}` };
    }
    case "expired": {
      const { time, until } = dead;
      // Several rows have the same time.
      const condition =
        after === undefined ? sql`${time} <= ${until}` : sql`${time} >= ${after} and ${time} <= ${until}`;
      return { table, key, order: time, condition };
    }
  }
}

/** What another process works on is left to it: PostgreSQL would wait for it, and keep the locks that it has so far. */
function deleteBatch(db: Db, { table, key, condition, order }: Batch, size: number): Promise<{ order: unknown }[]> {
  const matching = db.select({ key }).from(table).where(condition);
  const some = (order ? matching.orderBy(asc(order)) : matching).limit(size) as typeof matching;
  const chosen =
    db.dialect === "postgres"
      ? sql`${key} = any(array${some.for("update", { of: table, skipLocked: true })})`
      : inArray(key, some);
  return db
    .delete(table)
    .where(chosen)
    .returning({ order: order ?? key });
}

function isLater(one: unknown, other: unknown): boolean {
  return (one as string | number) > (other as string | number);
}
