import type { Handle } from "@gatehouse/db/query/handle";
import * as postgres from "./schema/postgres.ts";
import * as sqlite from "./schema/sqlite.ts";

type Tables = typeof postgres;

/** The product's tables for a handle's engine, typed as on PostgreSQL; schema.test.ts keeps the two schemas equal. */
export function tablesOf({ dialect }: Pick<Handle, "dialect">): Tables {
  return dialect === "sqlite" ? (sqlite as unknown as Tables) : postgres;
}
