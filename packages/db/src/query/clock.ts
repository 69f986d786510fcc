import { type SQL, sql } from "drizzle-orm";
import type { Handle } from "./handle.ts";

/**
 * The database's own time in Unix seconds, when the statement starts. For whatever several processes have to agree on: their clocks
 * differ. OP-22.
 */
export function databaseNow({ dialect }: Pick<Handle, "dialect">): SQL<number> {
  return dialect === "sqlite" ? sql<number>`unixepoch()` : sql<number>`floor(extract(epoch from statement_timestamp()))::bigint`;
}

/** {@link databaseNow} plus `seconds`, truncated to whole seconds. */
export function inSeconds(handle: Pick<Handle, "dialect">, seconds: number): SQL<number> {
  return sql<number>`${databaseNow(handle)} + ${sql.raw(String(Math.trunc(seconds)))}`;
}
