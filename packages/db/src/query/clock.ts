import { type SQL, sql } from "drizzle-orm";
import type { Db } from "./db.ts";

/**
 * The database's own time in Unix seconds, when the statement starts. For whatever several processes have to agree on:
 * their clocks differ. OP-22.
 */
export function databaseNow({ dialect }: Pick<Db, "dialect">): SQL<number> {
  return dialect === "sqlite"
    ? sql<number>`unixepoch()`
    : sql<number>`floor(extract(epoch from statement_timestamp()))::bigint`;
}

/** {@link databaseNow} plus `seconds`, truncated to whole seconds. */
export function inSeconds(db: Pick<Db, "dialect">, seconds: number): SQL<number> {
  return sql<number>`${databaseNow(db)} + ${sql.raw(String(Math.trunc(seconds)))}`;
}
