import { createHash } from "node:crypto";
import type { ThrottleKey } from "@gatehouse/net";
import type pg from "pg";
import { RateLimiterPostgres, RateLimiterSQLite, type RateLimiterStoreAbstract } from "rate-limiter-flexible";
import type { Database, Engine } from "../database.ts";
import { orUnavailable } from "../errors/unavailable.ts";
import { persist } from "../postgres/pool.ts";

export type RateLimit = {
  /** What is limited, e.g. "sign-in by account". Limits of one name share their counts. */
  name: string;
  /** Failures allowed in a window; the window starts with the first one. */
  failures: number;
  windowSeconds: number;
};

/**
 * Counts failures, never successes, so that many users behind one address are no trouble. All processes on a database
 * share the counts. Keys are kept as hashes: an address or an account name is nobody's business in a backup.
 */
export type RateLimiter = {
  /** Seconds until the key may try again; 0 when it may now. */
  check(key: ThrottleKey): Promise<number>;
  /** Counts a failure, and answers as `check` does after it. */
  fail(key: ThrottleKey): Promise<number>;
  /**
   * For what must not be raced: counts the try as a failure before it is made, in one statement. 0 when it may be made;
   * then `forgive` it if it succeeds. Otherwise the seconds to wait.
   */
  attempt(key: ThrottleKey): Promise<number>;
  /** Takes one counted failure back. */
  forgive(key: ThrottleKey): Promise<void>;
  /** Forgets the key. */
  clear(key: ThrottleKey): Promise<void>;
};

/** A limit on this database, in the table `rate_limits`. Windows run on the machine's own clock. */
export function createRateLimiter(database: Pick<Database, "engine">, { name, failures, windowSeconds }: RateLimit): RateLimiter {
  const limiter = limiterOn(database, { keyPrefix: name, points: failures, duration: windowSeconds });
  const hashed = (key: ThrottleKey) => createHash("sha256").update(key).digest("base64url");
  const waitSeconds = (counted: { consumedPoints: number; msBeforeNext: number } | null, allowed: number) =>
    counted && counted.consumedPoints > allowed ? Math.max(1, Math.ceil(counted.msBeforeNext / 1000)) : 0;

  return {
    check: async (key) => waitSeconds(await limiter.get(hashed(key)).catch(rethrow), failures - 1),
    fail: async (key) => waitSeconds(await limiter.penalty(hashed(key), 1).catch(rethrow), failures - 1),
    attempt: async (key) => waitSeconds(await limiter.penalty(hashed(key), 1).catch(rethrow), failures),
    forgive: async (key) => void (await limiter.reward(hashed(key), 1).catch(rethrow)),
    clear: async (key) => void (await limiter.delete(hashed(key)).catch(rethrow)),
  };
}

function rethrow(cause: unknown): never {
  throw orUnavailable(cause);
}

function limiterOn(
  { engine }: Pick<Database, "engine">,
  limit: { keyPrefix: string; points: number; duration: number },
): RateLimiterStoreAbstract {
  const table = { tableName: "rate_limits", tableCreated: true, clearExpiredByTimeout: false }; // migrated and swept by us
  return engine.dialect === "sqlite"
    ? new RateLimiterSQLite({ ...limit, ...table, storeClient: joiningGroups(engine), storeType: "better-sqlite3" })
    : new RateLimiterPostgres({ ...limit, ...table, storeClient: persistent(engine), storeType: "pool" });
}

/** The limiter asks a pool for nothing but queries. */
function persistent({ pool }: Extract<Engine, { dialect: "postgres" }>) {
  return { query: (query: pg.QueryConfig) => persist(pool, false, () => pool.query(query)) };
}

/** The limiter awaits what a transaction returns, so its transactions can share the commit of everybody else's writes. */
function joiningGroups({ connection, write }: Extract<Engine, { dialect: "sqlite" }>) {
  return {
    prepare: (sql: string) => connection.prepare(sql),
    transaction: (run: () => unknown) => () => write(run),
  };
}
