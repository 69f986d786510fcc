import { setTimeout as pause } from "node:timers/promises";
import { SchemaError } from "../migrations/plan.ts";
import type { Client } from "../migrations/schema-state.ts";

/** The advisory lock that a process takes to change the schema: any number, the same in all of them. */
export const SCHEMA_LOCK = 7_240_331;
/** Requests queue behind a lock that a change waits for, so it gives up soon and tries again. OP-63 */
export const WAIT_MS = 2_000;
export const TRIES = 10;
/** A process whose machine is gone holds its locks until then. */
const IDLE_TIMEOUT = "30s";
const LOCK_NOT_AVAILABLE = "55P03";

export type SchemaChange = {
  /** For how many milliseconds one try waits for a lock of a table. */
  waitMs?: number;
  tries?: number;
  /** Between two tries, about. */
  pauseMs?: number;
  /** For how many milliseconds one statement may run once it has its locks; by default without a limit. */
  statementMs?: number;
  /** What to tell the operator when every try met a lock. */
  blocked: string;
};

/**
 * Runs `act` in a transaction, while no other process changes the schema, and again from its start if somebody holds a
 * lock that it needs. Throws SchemaError when every try did. Its settings and its lock end with the transaction: through
 * a pooler, anything that outlives it would be another client's. OP-63
 */
export async function changeSchema<T>(client: Client, change: SchemaChange, act: () => Promise<T>): Promise<T> {
  const { tries = TRIES, pauseMs = 1_000, blocked } = change;
  for (let tried = 1; ; tried++) {
    try {
      return await inTransaction(client, change, act);
    } catch (cause) {
      if (codeOf(cause) !== LOCK_NOT_AVAILABLE) throw cause;
      if (tried === tries) throw new SchemaError(blocked, 75);
      await pause(pauseMs * (0.5 + Math.random()));
    }
  }
}

async function inTransaction<T>(
  client: Client,
  { waitMs = WAIT_MS, statementMs = 0 }: SchemaChange,
  act: () => Promise<T>,
): Promise<T> {
  await client.query("BEGIN");
  try {
    await client.query(
      `SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = '${IDLE_TIMEOUT}'`,
    );
    await client.query("SELECT pg_advisory_xact_lock($1)", [SCHEMA_LOCK]);
    await client.query(`SET LOCAL lock_timeout = ${waitMs}; SET LOCAL statement_timeout = ${statementMs}`);
    const result = await act();
    await client.query("COMMIT");
    return result;
  } catch (cause) {
    await client.query("ROLLBACK").catch(() => {}); // the connection may be gone; the first error is the one to report
    throw cause;
  }
}

/** PostgreSQL's code of an error. */
export const codeOf = (cause: unknown): unknown => (cause instanceof Error && "code" in cause ? cause.code : undefined);
