import { metrics } from "@gatehouse/runtime/metrics";
import type pg from "pg";

/** Statements and transactions that wait for a connection. */
export type PoolWaits = {
  waiting: number;
  /** How long the first of them has waited, in milliseconds. */
  oldestMs: number;
};

export const NO_WAITS: PoolWaits = { waiting: 0, oldestMs: 0 };

type Connect = (callback?: (...result: unknown[]) => void) => Promise<pg.PoolClient> | undefined;

const waitSeconds = metrics.dbPoolWait.series();

/**
 * Notes how long callers wait for a connection, which the pool does not report. Returns what waits now. Call it once for
 * a pool. OP-31, OP-75
 */
export function trackWaits(pool: pg.Pool): () => PoolWaits {
  const since = new Set<{ at: number }>(); // in the order of the pool's own queue
  const connect = pool.connect.bind(pool) as Connect;

  const tracked: Connect = (callback) => {
    if (pool.idleCount > 0) {
      waitSeconds.observe(0);
      return connect(callback);
    }
    const wait = { at: performance.now() };
    since.add(wait);
    const over = () => {
      since.delete(wait);
      waitSeconds.observe((performance.now() - wait.at) / 1000);
    };
    if (callback)
      return connect((...result) => {
        over();
        callback(...result);
      });
    const connected = connect();
    connected?.then(over, over);
    return connected;
  };
  pool.connect = tracked as typeof pool.connect;

  return () => {
    const [first] = since;
    return first ? { waiting: since.size, oldestMs: performance.now() - first.at } : NO_WAITS;
  };
}
