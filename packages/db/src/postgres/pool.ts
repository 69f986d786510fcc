import { setTimeout as pause } from "node:timers/promises";
import { metrics, onSnapshot } from "@gatehouse/runtime/metrics";
import pg from "pg";
import { unavailable } from "../errors/unavailable.ts";
import { type WriteGate, writesRefused } from "../write-gate.ts";
import { type PoolWaits, trackWaits } from "./pool-waits.ts";
import { type StatementNames, tryNames } from "./statement-names.ts";

/** Returns 64-bit integers as numbers instead of text: ours are times and counts. */
export const types: pg.CustomTypesConfig = {
  getTypeParser: (id, format) => (id === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(id, format)),
};

/**
 * The server's time limits in milliseconds, sent with the first packet of a connection, so without a round trip. OP-26.
 */
const SERVER_TIMEOUTS = { statement_timeout: 5000, lock_timeout: 2000, idle_in_transaction_session_timeout: 10_000 };
/** For opening a connection or waiting for a free one. */
const CONNECT_TIMEOUT_MS = 3000;
/** For an answer: after that, the connection is destroyed. */
const ANSWER_TIMEOUT_MS = 6000;

/** Connections to a PostgreSQL server, or to a pooler in front of it. All pools of one URL share `names`. */
export type Pool = pg.Pool & {
  readonly names: StatementNames;
  readonly gate: WriteGate;
  /** What waits for one of its connections. */
  waits(): PoolWaits;
};

/** A pool of at most `max` connections. Connects when needed. */
export function openPool(url: string, max: number, names: StatementNames, gate: WriteGate = { closed: false }): Pool {
  const limits = { connectionTimeoutMillis: CONNECT_TIMEOUT_MS, query_timeout: ANSWER_TIMEOUT_MS, ...SERVER_TIMEOUTS };
  const pool = new pg.Pool({ connectionString: url, max, keepAlive: true, types, ...limits });
  // An idle connection was closed, for example by a restart: the pool opens another one when needed
  pool.on("error", ignoreError);
  open.add(pool);
  return Object.assign(pool, { names, gate, waits: trackWaits(pool) });
}

const open = new Set<pg.Pool>();

onSnapshot(() => {
  if (open.size === 0) return; // on SQLite
  const sum = (of: (pool: pg.Pool) => number) => [...open].reduce((all, pool) => all + of(pool), 0);
  metrics.dbPool.series("idle").set(sum(({ idleCount }) => idleCount));
  metrics.dbPool.series("used").set(sum(({ totalCount, idleCount }) => totalCount - idleCount));
  metrics.dbPool.series("waiting").set(sum(({ waitingCount }) => waitingCount));
});

/** A listener for connection errors, which also reject the pending query; without a listener they end the process. */
export function ignoreError(): void {}

/** Ends the pool, without waiting longer for connections on which the server does not answer. */
export async function closePool(pool: pg.Pool): Promise<void> {
  open.delete(pool);
  await Promise.race([pool.end(), pause(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
}
const CLOSE_TIMEOUT_MS = 2000;

/**
 * Connection lost (08), refused (53300), closed by an operator or a crash (57P), or server became a standby (25006).
 */
const LOST = /^(?:08|57P)|^(?:53300|25006)$/;
/** Aborted by the server in favor of another transaction, so certainly without effect. */
const ABORTED = /^(?:40001|40P01)$/;
/**
 * Statement or lock timeout, out of disk or memory, I/O error, idle too long; 28 and 3D000 occur only while connecting.
 * Internal errors too: a server on a full disk refuses connections with XX000, since it cannot write its init file.
 */
const OTHERWISE_UNAVAILABLE = /^(?:28|53|58|XX)|^(?:57014|55P03|25P03|3D000)$/;

const readSeconds = metrics.dbStatement.series("read");
const writeSeconds = metrics.dbStatement.series("write");

const MAX_RETRIES = 3;
/** Time limits as parameters, and names of statements: what a pooler may reject. */
const MAX_ADAPTATIONS = 2;
/** A read that fails later than this has met a timeout, and its caller has waited long enough. */
const IMMEDIATELY_MS = 1000;

/**
 * Runs `work`, one statement or one whole transaction. Retries up to three times if the server aborted it in favor of
 * another transaction, once if the connection was lost and it only reads, and without what a pooler rejected, which
 * then had no effect. Throws StoreUnavailable if the server cannot serve; a write may then have taken effect. OP-27,
 * OP-28, OP-29, OP-30.
 */
export async function withRetries<Value>(pool: Pool, onlyReads: boolean, work: () => Promise<Value>): Promise<Value> {
  if (pool.gate.closed && !onlyReads) throw writesRefused();
  const startedAt = performance.now();
  const seconds = onlyReads ? readSeconds : writeSeconds;
  let [retries, reads, adaptations] = [0, 0, 0];
  for (;;) {
    try {
      const value = await work();
      seconds.observe((performance.now() - startedAt) / 1000);
      return value;
    } catch (cause) {
      if (adapt(pool, cause) && adaptations++ < MAX_ADAPTATIONS) continue;
      const failure = failureOf(cause);
      if (failure === undefined) throw cause;
      if (failure === "aborted" && retries++ < MAX_RETRIES) await pause(10 + Math.random() * 90);
      else if (failure !== "lost" || !onlyReads || reads++ >= 1 || performance.now() - startedAt >= IMMEDIATELY_MS)
        throw unavailable(
          `PostgreSQL cannot serve now (${cause instanceof Error ? codeOf(cause) : cause})`,
          failure === "unavailable" ? "refused" : failure,
          cause,
        );
      metrics.dbRetries.series(failure).add();
    }
  }
}

/**
 * {@link withRetries} for statements with names. The first one waits until it is known whether names can be used.
 * OP-27.
 */
export function withStatementNames<Value>(pool: Pool, onlyReads: boolean, work: () => Promise<Value>): Promise<Value> {
  if (pool.names.probed) return withRetries(pool, onlyReads, work);
  return pool.names.probe(() => probe(pool)).then(() => withRetries(pool, onlyReads, work));
}

function probe(pool: Pool): Promise<void> {
  const { names, options } = pool;
  return withRetries(pool, true, () =>
    withConnection(pool, (first) =>
      options.max > 1
        ? withConnection(pool, (second) => tryNames(names, first, second))
        : tryNames(names, first, first),
    ),
  );
}

/**
 * Runs `work` on a connection of its own, which is closed if it fails: that rolls back, whatever state the connection
 * is in.
 */
export async function withConnection<Value>(
  pool: Pool,
  work: (connection: pg.PoolClient) => Promise<Value>,
): Promise<Value> {
  const connection = await pool.connect();
  connection.on("error", ignoreError);
  try {
    const value = await work(connection);
    connection.off("error", ignoreError);
    connection.release();
    return value;
  } catch (cause) {
    connection.release(true);
    throw cause;
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

/**
 * Stops using what a pooler rejects. Returns true for every such rejection, also after the first: several statements
 * may have been under way.
 */
function adapt(pool: Pool, cause: unknown): boolean {
  return pool.names.stopIfLost(cause) || stopIfTimeoutsRejected(pool, cause);
}

/**
 * Whether a pooler rejected the time limits, and not something else: it has one code for every error of its own. OP-26.
 */
function stopIfTimeoutsRejected(pool: Pool, cause: unknown): boolean {
  if (!(cause instanceof pg.DatabaseError) || cause.code !== "08P01") return false;
  const names = Object.keys(SERVER_TIMEOUTS);
  if (!names.some((name) => cause.message.includes(name))) return false;
  for (const name of names) Reflect.deleteProperty(pool.options, name);
  return true;
}

/**
 * Sets the time limits for the account, if a pooler rejected or ignored them as parameters. Runs through the pooler,
 * since its account counts; connections that the pooler has open already keep theirs. Several processes can call it at
 * the same time. OP-26.
 */
export async function setRoleTimeouts(pool: Pool): Promise<void> {
  const settings = Object.entries(SERVER_TIMEOUTS);
  const current = settings.map(([name]) => `current_setting('${name}') = '0' AS ${name}`);
  const { rows } = await pool.query(`SELECT current_database() AS database, ${current.join(", ")}`);
  const [{ database, ...unlimited }] = rows as [{ database: string } & Record<string, boolean>];
  const missing = settings.filter(([name]) => unlimited[name]);
  if (missing.length === 0) return;
  await withConnection(pool, async (connection) => {
    await connection.query("BEGIN");
    await connection.query("SELECT pg_advisory_xact_lock($1)", [LIMITS_LOCK]); // two of these at once fail: "tuple concurrently updated"
    for (const [name, value] of missing)
      await connection.query(
        `ALTER ROLE CURRENT_USER IN DATABASE ${pg.escapeIdentifier(database)} SET ${name} = ${value}`,
      );
    await connection.query("COMMIT");
  });
}

const LIMITS_LOCK = 7_240_332; // any number, the same in every process
