import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import type { Database } from "../database.ts";
import { openPools, openPostgres, type Pools } from "../postgres/open.ts";
import { closePool, type Pool } from "../postgres/pool.ts";
import type { LentDatabase } from "./database-pool.ts";
import { emptyDatabase } from "./empty-database.ts";

type Lent = LentDatabase & { pools: Pools };

/** What tests of this process have returned, the last one last. */
const returned: Lent[] = [];

/** There is no pooler, and finding that out takes longer than most tests. */
const OPTIONS = { preparing: "on" } as const;

/** How long a closed database waits for the statements that a test left under way. */
const IDLE_WITHIN_MS = 2000;

/**
 * A migrated database without rows: one that another test of this process returned, emptied, with the connections that
 * it has open, since opening connections takes longer than most tests; or a new one from `lend`. `discard` gets the
 * names of those that cannot be used again.
 */
export async function openLent(
  lend: () => Promise<LentDatabase>,
  discard: (name: string) => Promise<void>,
): Promise<Database & { url: string }> {
  const lent = (await takeReturned(discard)) ?? (await lendWithPools(lend));
  const { name, url, pools } = lent;
  let isClosed = false;
  const own = { pool: whileOpen(pools.pool), backgroundPool: whileOpen(pools.backgroundPool) };
  pools.pool.gate.closed = false;

  /** The same connections, until this test closes its database: what it left running must not write for the next one. */
  function whileOpen(pool: Pool): Pool {
    const connect = (callback?: (error: Error) => void) => {
      if (!isClosed) return callback ? pool.connect(callback as never) : pool.connect();
      const error = new Error("The database of this test is closed");
      return callback ? callback(error) : Promise.reject(error);
    };
    return Object.assign(Object.create(pool) as Pool, { connect });
  }

  return {
    ...openPostgres(url, OPTIONS, own),
    url,
    async close() {
      isClosed = true;
      if (lent.fingerprint !== undefined && (await isIdleSoon(pools))) {
        returned.push(lent);
      } else {
        await endPools(pools);
        await discard(name);
      }
    },
  };
}

async function lendWithPools(lend: () => Promise<LentDatabase>): Promise<Lent> {
  const lent = await lend();
  return { ...lent, pools: openPools(lent.url, OPTIONS) };
}

async function takeReturned(discard: (name: string) => Promise<void>): Promise<Lent | undefined> {
  for (let lent = returned.pop(); lent; lent = returned.pop()) {
    const { name, pools, fingerprint = "" } = lent;
    const connections = Math.max(1, pools.pool.totalCount + pools.backgroundPool.totalCount);
    if (await emptyDatabase(pools.pool, fingerprint, connections)) return lent;
    await endPools(pools);
    await discard(name);
  }
  return undefined;
}

const endPools = ({ pool, backgroundPool }: Pools) => Promise.all([closePool(pool), closePool(backgroundPool)]);

async function isIdleSoon({ pool, backgroundPool }: Pools): Promise<boolean> {
  const isIdle = (one: pg.Pool) => !one.ending && one.waitingCount === 0 && one.idleCount === one.totalCount;
  for (const giveUpAt = performance.now() + IDLE_WITHIN_MS; performance.now() < giveUpAt; await pause(5))
    if (isIdle(pool) && isIdle(backgroundPool)) return true;
  return false;
}
