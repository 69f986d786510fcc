import { createHash } from "node:crypto";
import type { Limit, Limiter } from "@gatehouse/accounts";
import type { ThrottleKey } from "@gatehouse/runtime";
import { metrics } from "@gatehouse/runtime/metrics";
import type Sqlite from "better-sqlite3";
import type pg from "pg";
import { RateLimiterPostgres, RateLimiterSQLite, type RateLimiterStoreAbstract } from "rate-limiter-flexible";
import type { Database, Engine } from "../../database.ts";
import { orUnavailable } from "../../errors/unavailable.ts";
import { withStatementNames } from "../../postgres/pool.ts";

/**
 * Counts failures, never successes, so that many users can share an address. All processes on a database share the
 * counts. Keys are stored as hashes, so that no backup contains addresses or account names. `attempt` counts in one
 * statement, so racing attempts cannot exceed the limit.
 */
export type RateLimiter = Limiter & {
  /** Counts a failure; returns the same as `check` afterwards. */
  fail(key: ThrottleKey): Promise<number>;
};

/** How far a window may seem to reach into the future: clocks of several machines differ a little. */
const SKEW_MS = 60_000;

/**
 * A limit in the table `rate_limits`. Windows follow the machine's clock. `isPatient`: on SQLite its writes wait some
 * milliseconds for others, where attempts come faster than that.
 */
export function createRateLimiter(
  database: Pick<Database, "engine">,
  limit: Limit,
  patience = { isPatient: false },
): RateLimiter {
  const { name, windowSeconds } = limit;
  const bounds = { keyPrefix: name, points: limit.failures, duration: windowSeconds };
  const limiter = limiterOn(database, bounds, patience);
  const hashed = (key: ThrottleKey) => createHash("sha256").update(key).digest("base64url");
  const waitSeconds = (counted: Counted, allowed: number) =>
    counted && counted.consumedPoints > allowed ? Math.max(1, Math.ceil(counted.msBeforeNext / 1000)) : 0;
  const limited = metrics.rateLimited.series(name);
  const refused = (seconds: number) => {
    if (seconds > 0) limited.add();
    return seconds;
  };

  /**
   * What `ask` says about a key. A window that ends later than one that begins now was counted by a clock that has been
   * set back since: it would last for as long as the clock was wrong, so it is deleted. OP-84.
   */
  async function counted(key: ThrottleKey, ask: (hash: string) => Promise<Counted>): Promise<Counted> {
    const hash = hashed(key);
    const found = await ask(hash).catch(rethrow);
    if (!found || found.msBeforeNext <= windowSeconds * 1000 + SKEW_MS) return found;
    await limiter.delete(hash).catch(rethrow);
    return ask(hash).catch(rethrow);
  }
  const read = (hash: string) => limiter.get(hash);
  const add = (hash: string) => limiter.penalty(hash, 1);

  return {
    check: async (key) => refused(waitSeconds(await counted(key, read), limit.failures - 1)),
    fail: async (key) => waitSeconds(await counted(key, add), limit.failures - 1),
    attempt: async (key) => refused(waitSeconds(await counted(key, add), limit.failures)),
    forgive: async (key) => void (await limiter.reward(hashed(key), 1).catch(rethrow)),
    clear: async (key) => void (await limiter.delete(hashed(key)).catch(rethrow)),
  };
}

type Counted = { consumedPoints: number; msBeforeNext: number } | null;

function rethrow(cause: unknown): never {
  throw orUnavailable(cause);
}

function limiterOn(
  { engine }: Pick<Database, "engine">,
  limit: { keyPrefix: string; points: number; duration: number },
  patience: { isPatient: boolean },
): RateLimiterStoreAbstract {
  // Our migrations create the table, and our sweeper deletes rows
  const table = { tableName: "rate_limits", tableCreated: true, clearExpiredByTimeout: false };
  return engine.dialect === "sqlite"
    ? new RateLimiterSQLite({
        ...limit,
        ...table,
        storeClient: joiningGroups(engine, patience),
        storeType: "better-sqlite3",
      })
    : new RateLimiterPostgres({ ...limit, ...table, storeClient: persistent(engine), storeType: "pool" });
}

/** The limiter uses only the pool's queries. */
function persistent({ pool }: Extract<Engine, { dialect: "postgres" }>) {
  const query = ({ name, ...statement }: pg.QueryConfig) =>
    withStatementNames(pool, false, () => {
      const sentName = pool.names.nameOf(name, statement.text);
      return pool.query(sentName === undefined ? statement : { ...statement, name: sentName });
    });
  return { query };
}

/**
 * The limiter awaits the result of a transaction, so its writes can join the group commit. It prepares one of a few
 * statements at each call; compiling one costs more than running it.
 */
function joiningGroups(
  { connection, write }: Extract<Engine, { dialect: "sqlite" }>,
  patience: { isPatient: boolean },
) {
  const compiled = new Map<string, Sqlite.Statement>();
  return {
    prepare(sql: string) {
      const statement = compiled.get(sql) ?? connection.prepare(sql);
      compiled.set(sql, statement);
      return statement;
    },
    transaction: (run: () => unknown) => () => write(run, patience),
  };
}
