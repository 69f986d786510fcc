import type { Db } from "@gatehouse/db/query/db";
import * as postgres from "./schema/postgres.ts";
import * as sqlite from "./schema/sqlite.ts";

type Tables = typeof postgres;

/**
 * The product's tables for the engine of a database, typed as on PostgreSQL; schema.test.ts keeps the two schemas
 * equal.
 */
export function tablesOf({ dialect }: Pick<Db, "dialect">): Tables {
  return dialect === "sqlite" ? (sqlite as unknown as Tables) : postgres;
}
