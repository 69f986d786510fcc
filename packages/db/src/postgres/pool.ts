import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { unavailable } from "../errors/unavailable.ts";

/** Returns 64-bit integers as numbers instead of text: ours are times and counts. */
export const types: pg.CustomTypesConfig = {
  getTypeParser: (id, format) => (id === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(id, format)),
};

/** The server's time limits in milliseconds, sent with the first packet of a connection, so without a round trip. OP-26. */
const SERVER_TIMEOUTS = { statement_timeout: 5000, lock_timeout: 2000, idle_in_transaction_session_timeout: 10_000 };
/** For opening a connection or waiting for a free one. */
const CONNECT_TIMEOUT_MS = 3000;
/** For an answer: after that, the connection is destroyed. */
const ANSWER_TIMEOUT_MS = 6000;

/** A pool of at most `max` connections to a PostgreSQL server. */
export function openPool(url: string, max: number): pg.Pool {
  const limits = { connectionTimeoutMillis: CONNECT_TIMEOUT_MS, query_timeout: ANSWER_TIMEOUT_MS, ...SERVER_TIMEOUTS };
  const pool = new pg.Pool({ connectionString: url, max, keepAlive: true, types, ...limits });
  pool.on("error", ignore); // an idle connection was closed, for example by a restart: the pool opens another one when needed
  return pool;
}

/** A listener for connection errors, which also reject the pending query; without a listener they end the process. */
export function ignore(): void {}

/** Ends the pool, without waiting longer for connections on which the server does not answer. */
export async function closePool(pool: pg.Pool): Promise<void> {
  await Promise.race([pool.end(), pause(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
}
const CLOSE_TIMEOUT_MS = 2000;

/** Connection lost (08), refused (53300), closed by an operator or a crash (57P), or server became a standby (25006). */
const LOST = /^(?:08|57P)|^(?:53300|25006)$/;
/** Aborted by the server in favor of another transaction, so certainly without effect. */
const ABORTED = /^(?:40001|40P01)$/;
/** Statement or lock timeout, out of disk or memory, I/O error, idle too long; 28 and 3D000 occur only while connecting. */
const OTHERWISE_UNAVAILABLE = /^(?:28|53|58)|^(?:57014|55P03|25P03|3D000)$/;

const MAX_RETRIES = 3;
/** A read that fails later than this has met a timeout, and its caller has waited long enough. */
const IMMEDIATELY_MS = 1000;

/**
 * Runs `work`, one statement or one whole transaction. Retries up to three times if the server aborted it in favor of another transaction,
 * and once if the connection was lost and it only reads. Throws StoreUnavailable if the server cannot serve; a write may then have taken
 * effect. OP-28, OP-29, OP-30.
 */
export async function persist<Value>(pool: pg.Pool, onlyReads: boolean, work: () => Promise<Value>): Promise<Value> {
  const startedAt = performance.now();
  let [retries, reads] = [0, 0];
  for (;;) {
    try {
      return await work();
    } catch (cause) {
      const failure = failureOf(cause);
      if (failure === undefined) throw cause;
      if (stopSendingTimeouts(pool, cause)) continue;
      if (failure === "aborted" && retries++ < MAX_RETRIES) await pause(10 + Math.random() * 90);
      else if (failure === "lost" && onlyReads && reads++ < 1 && performance.now() - startedAt < IMMEDIATELY_MS) continue;
      else throw unavailable(`PostgreSQL cannot serve now (${cause instanceof Error ? codeOf(cause) : cause})`, cause);
    }
  }
}

function failureOf(cause: unknown): "lost" | "aborted" | "unavailable" | undefined {
  if (!(cause instanceof Error)) return undefined;
  if (!(cause instanceof pg.DatabaseError)) return isOfTransport(cause) ? "lost" : undefined;
  const { code = "" } = cause;
  if (LOST.test(code)) return "lost";
  if (ABORTED.test(code)) return "aborted";
  return OTHERWISE_UNAVAILABLE.test(code) ? "unavailable" : undefined;
}

/** Errors of pg itself are about the connection, except programming errors such as a TypeError. */
function isOfTransport(cause: Error): boolean {
  return "code" in cause || Object.getPrototypeOf(cause) === Error.prototype;
}

function codeOf(cause: Error): unknown {
  return "code" in cause ? cause.code : cause.message;
}

/** A connection pooler may reject unknown parameters. Returns true the first time: connect again without them. OP-26. */
function stopSendingTimeouts(pool: pg.Pool, cause: unknown): boolean {
  if (!(cause instanceof pg.DatabaseError) || cause.code !== "08P01" || !sendsTimeouts(pool)) return false;
  for (const name of Object.keys(SERVER_TIMEOUTS)) Reflect.deleteProperty(pool.options, name);
  return true;
}

/** False behind a pooler that rejects them. */
export function sendsTimeouts(pool: pg.Pool): boolean {
  return pool.options.statement_timeout !== undefined;
}

/** Statements that set the same time limits for the connection's account in this database, for use behind such a pooler. */
export function timeoutsOfAccount(database: string): string[] {
  const name = pg.escapeIdentifier(database);
  return Object.entries(SERVER_TIMEOUTS).map(([setting, value]) => `ALTER ROLE CURRENT_USER IN DATABASE ${name} SET ${setting} = ${value}`);
}
