import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { unavailable } from "../errors/unavailable.ts";

/** Whole numbers of 64 bits come back as numbers, not text: ours are times and counts. */
export const types: pg.CustomTypesConfig = {
  getTypeParser: (id, format) => (id === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(id, format)),
};

/** Milliseconds that the server allows, sent with the first packet of a connection, so they cost no trip. OP-26. */
const SERVER_TIMEOUTS = { statement_timeout: 5000, lock_timeout: 2000, idle_in_transaction_session_timeout: 10_000 };
/** To open a connection, or to get one of the pool. */
const CONNECT_WITHIN_MS = 3000;
/** For a server or a network that stopped answering: the connection is destroyed then. */
const ANSWER_WITHIN_MS = 6000;

/** A pool of at most `max` connections to a PostgreSQL server. */
export function openPool(url: string, max: number): pg.Pool {
  const limits = { connectionTimeoutMillis: CONNECT_WITHIN_MS, query_timeout: ANSWER_WITHIN_MS, ...SERVER_TIMEOUTS };
  const pool = new pg.Pool({ connectionString: url, max, keepAlive: true, types, ...limits });
  pool.on("error", ignore); // an idle connection was cut (a restart of the server): the pool opens another one when asked
  return pool;
}

/** An error of a connection also reaches the query that waits on it; without a listener it would end the process. */
export function ignore(): void {}

/** Ends the pool; a connection on which nobody answers is left to the operating system. */
export async function closePool(pool: pg.Pool): Promise<void> {
  await Promise.race([pool.end(), pause(CLOSE_WITHIN_MS, undefined, { ref: false })]);
}
const CLOSE_WITHIN_MS = 2000;

/** Connection lost (08), refused (53300), closed by an operator or a crash (57P), or to a server that became a standby (25006). */
const LOST = /^(?:08|57P)|^(?:53300|25006)$/;
/** Aborted for the sake of another transaction: certain to have had no effect. */
const ABORTED = /^(?:40001|40P01)$/;
/** Statement or lock timeout, out of disk or memory, I/O error, idle for too long; 28 and 3D000 come only while connecting. */
const OTHERWISE_UNAVAILABLE = /^(?:28|53|58)|^(?:57014|55P03|25P03|3D000)$/;

const MOST_REPEATS = 3;
/** A read that failed later than this met a timeout; its caller has waited long enough. */
const AT_ONCE_MS = 1000;

/**
 * Runs `work`, one statement or one whole transaction. Again, up to three times, when the server aborted it for another
 * transaction's sake; once more when its connection was lost and it only reads. Throws StoreUnavailable when the server cannot serve
 * now: a write may then have taken effect. OP-28, OP-29, OP-30.
 */
export async function persist<Value>(pool: pg.Pool, onlyReads: boolean, work: () => Promise<Value>): Promise<Value> {
  const began = performance.now();
  let [repeats, reads] = [0, 0];
  for (;;) {
    try {
      return await work();
    } catch (cause) {
      const failure = failureOf(cause);
      if (failure === undefined) throw cause;
      if (stopSendingTimeouts(pool, cause)) continue;
      if (failure === "aborted" && repeats++ < MOST_REPEATS) await pause(10 + Math.random() * 90);
      else if (failure === "lost" && onlyReads && reads++ < 1 && performance.now() - began < AT_ONCE_MS) continue;
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

/** What pg throws itself is about the connection, unless it is an error in the program such as a TypeError. */
function isOfTransport(cause: Error): boolean {
  return "code" in cause || Object.getPrototypeOf(cause) === Error.prototype;
}

function codeOf(cause: Error): unknown {
  return "code" in cause ? cause.code : cause.message;
}

/** A connection pooler may refuse parameters that it does not know. Returns true the first time: connect again without them. OP-26. */
function stopSendingTimeouts(pool: pg.Pool, cause: unknown): boolean {
  if (!(cause instanceof pg.DatabaseError) || cause.code !== "08P01" || !sendsTimeouts(pool)) return false;
  for (const name of Object.keys(SERVER_TIMEOUTS)) Reflect.deleteProperty(pool.options, name);
  return true;
}

/** False behind a pooler that refuses them. */
export function sendsTimeouts(pool: pg.Pool): boolean {
  return pool.options.statement_timeout !== undefined;
}

/** Statements that give the account of this connection the same timeouts in this database, where a pooler keeps us from sending them. */
export function timeoutsOfAccount(database: string): string[] {
  const name = pg.escapeIdentifier(database);
  return Object.entries(SERVER_TIMEOUTS).map(([setting, value]) => `ALTER ROLE CURRENT_USER IN DATABASE ${name} SET ${setting} = ${value}`);
}
