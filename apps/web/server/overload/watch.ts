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
  /** How many requests were shed since the last look. */
  shed: number;
};

/** Short, since what is refused waits for it, and Node accepts one new connection in each turn. OP-92 */
const BUDGET_MS = 8;
/** How much the cap changes at one look, at most, and the least that it falls to. */
const CAP = { step: 2, least: 2 * FEW } as const;

/** How much is shed from a look on. */
export type Levels = Pick<typeof load, "level" | "cause" | "cap" | "budgetMs">;

/**
 * What is shed from a look on. The level rises by one while a limit is exceeded, by two if it is exceeded twice over, and
 * falls to nothing after a second without. The cap falls and rises with what waits for the database. There is a budget
 * from the highest level on, or when too many requests were in flight, until a second has gone by in which nothing was
 * shed and no limit exceeded.
 */
export function createLevels(most: number): (sight: Sight) => Levels {
  let level = 0;
  let calm = 0;
  let idle = CALM_LOOKS;
  let cap = most;
  let cause: ShedReason = "event_loop";
  return ({ pool, loopDelayMs, shed }) => {
    const ofPool = Math.max(pool.waiting / LIMITS.poolWaiting, pool.oldestMs / LIMITS.poolWaitMs);
    const ofLoop = loopDelayMs / LIMITS.loopDelayMs;
    const worst = Math.max(ofPool, ofLoop);
    if (worst > 1) {
      level = Math.min(HIGHEST_LEVEL, level + (worst > 2 ? 2 : 1));
      cause = ofPool > ofLoop ? "database_pool" : "event_loop";
      calm = 0;
    } else if (++calm >= CALM_LOOKS) level = 0;
    const begins = level === HIGHEST_LEVEL || (shed > 0 && level === 0);
    const goesOn = idle < CALM_LOOKS && (worst > 1 || shed > 0);
    idle = begins || goesOn ? 0 : idle + 1;
    const step = Math.min(CAP.step, Math.max(1 / CAP.step, 1 / ofPool));
    cap = Math.min(most, Math.max(CAP.least, cap * step));
    return { level, cause, cap, budgetMs: idle < CALM_LOOKS ? BUDGET_MS : Number.POSITIVE_INFINITY };
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
  onChange: (shedding: { sheds: boolean; level: number; cause: ShedReason; inFlight: number }) => void;
}): { stop(): void } {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  const look = createLevels(maxInFlight);
  const set = (levels: Levels) => {
    Object.assign(load, levels);
    const few = levels.level === 0 ? Number.POSITIVE_INFINITY : FEW;
    load.free = levels.budgetMs === Number.POSITIVE_INFINITY ? Math.min(few, freeOf(levels.cap)) : 0;
  };
  load.most = maxInFlight;
  set({ level: 0, cause: "event_loop", cap: maxInFlight, budgetMs: Number.POSITIVE_INFINITY });
  delay.enable();

  let sheds = false;
  const timer = setInterval(() => {
    // Each value is the time between two ticks of the monitor.
    const loopDelayMs = delay.count === 0 ? 0 : delay.percentile(99) / 1e6 - RESOLUTION_MS;
    delay.reset();
    pruneUploads();
    set(look({ pool: poolWaits(), loopDelayMs, shed: load.shed }));
    load.shed = 0;
    const { level, cause, inFlight, budgetMs } = load;
    if (sheds === (level > 0 || budgetMs < Number.POSITIVE_INFINITY)) return;
    sheds = !sheds;
    onChange({ sheds, level, cause, inFlight });
  }, LOOK_EVERY_MS).unref();

  return {
    stop() {
      clearInterval(timer);
      delay.disable();
      load.most = Number.POSITIVE_INFINITY;
      load.cap = Number.POSITIVE_INFINITY;
      load.budgetMs = Number.POSITIVE_INFINITY;
      load.level = 0;
      load.free = Number.POSITIVE_INFINITY;
    },
  };
}
