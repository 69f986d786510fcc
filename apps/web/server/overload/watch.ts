import { monitorEventLoopDelay } from "node:perf_hooks";
import { FEW, freeOf, HIGHEST_LEVEL, load, pruneUploads, type ShedReason } from "./load.ts";

/** How much may wait before requests are shed. OP-31 */
const LIMITS = { poolWaiting: 200, poolWaitMs: 250, loopDelayMs: 200 } as const;
const LOOK_EVERY_MS = 250;
/** Looks without overload before the level falls: one second. */
const CALM_LOOKS = 4;
const RESOLUTION_MS = 10;

/** What the watch sees when it looks. */
export type Sight = {
  /** Statements that wait for a connection to PostgreSQL, and how long the first one has, in milliseconds. */
  pool: { waiting: number; oldestMs: number };
  /** The 99th percentile of the event loop's delay since the last look, in milliseconds. */
  loopDelayMs: number;
};

/** How much the share of tokens changes at one look, at most, and the least that it falls to. */
const SHARE = { step: 2, least: 1 / 64 };

/**
 * What the level becomes at a look. It rises by one while a limit is exceeded, by two if it is exceeded twice over, and
 * falls to nothing after a second without. `tokenShare`: at the highest level, how much of the cap tokens may take. It
 * follows what waits towards the limit: a process that refused all of them would be busy with refusing. OP-92
 */
export function createLevels(): (sight: Sight) => { level: number; cause: ShedReason; tokenShare: number } {
  let level = 0;
  let calm = 0;
  let tokenShare = 1;
  let cause: ShedReason = "event_loop";
  return ({ pool, loopDelayMs }) => {
    const ofPool = Math.max(pool.waiting / LIMITS.poolWaiting, pool.oldestMs / LIMITS.poolWaitMs);
    const ofLoop = loopDelayMs / LIMITS.loopDelayMs;
    const worst = Math.max(ofPool, ofLoop);
    if (worst > 1) {
      level = Math.min(HIGHEST_LEVEL, level + (worst > 2 ? 2 : 1));
      cause = ofPool > ofLoop ? "database_pool" : "event_loop";
      calm = 0;
    } else if (++calm >= CALM_LOOKS) level = 0;
    const step = Math.min(SHARE.step, Math.max(1 / SHARE.step, 1 / worst));
    tokenShare = Math.min(1, Math.max(SHARE.least, tokenShare * step));
    return { level, cause, tokenShare };
  };
}

/**
 * Looks at the process four times a second from now on, and sets how much of {@link load} is shed. `onChange` is called
 * when it begins and when it ends.
 */
export function watchLoad({
  maxInFlight,
  poolWaits,
  onChange,
}: {
  maxInFlight: number;
  poolWaits: () => Sight["pool"];
  onChange: (shedding: { level: number; cause: ShedReason; inFlight: number }) => void;
}): { stop(): void } {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  const levels = createLevels();
  const set = (level: number, tokenShare: number) => {
    load.level = level;
    load.tokensAtOnce = Math.max(FEW, Math.floor(maxInFlight * tokenShare));
    load.free = level === 0 ? freeOf(maxInFlight) : Math.min(FEW, freeOf(maxInFlight));
  };
  load.cap = maxInFlight;
  set(0, 1);
  delay.enable();

  const timer = setInterval(() => {
    // Each value is the time between two ticks of the monitor.
    const loopDelayMs = delay.count === 0 ? 0 : delay.percentile(99) / 1e6 - RESOLUTION_MS;
    delay.reset();
    pruneUploads();
    const { level, cause, tokenShare } = levels({ pool: poolWaits(), loopDelayMs });
    const changes = (level === 0) !== (load.level === 0);
    load.cause = cause;
    set(level, tokenShare);
    if (changes) onChange({ level, cause, inFlight: load.inFlight });
  }, LOOK_EVERY_MS).unref();

  return {
    stop() {
      clearInterval(timer);
      delay.disable();
      load.cap = Number.POSITIVE_INFINITY;
      load.level = 0;
      load.free = Number.POSITIVE_INFINITY;
    },
  };
}
