import type { DeliveryReason } from "@gatehouse/webhooks";
import type { Db } from "../../query/db.ts";
import { addUsage, type CountedUsage, isNothingUsed, nothingUsed, resolveUsage, sumRows } from "./counted-usage.ts";
import { addStats, type EndpointUse, type StatRow } from "./stat-writes.ts";
import { createUsageCounts, type StoredUsage } from "./usage-counts.ts";

/** One more of something. `key` is from a closed list; `environment` is empty if it has none. */
export type Stat = { environment: string; metric: string; key: string };

/** Counts in memory what charts show, and when endpoints and secrets were last used. CO-11, CO-12. */
export type Stats = {
  /** Counts one more, or `by` more. */
  count(stat: Stat, by?: number): void;
  /** The same for a stat that is counted often: the result counts without looking for it each time. */
  counter(stat: Stat): Counter;
  endpointAccepted(slug: string, at: number): void;
  endpointRefused(slug: string, at: number, reason: DeliveryReason): void;
  secretMatched(id: string, at: number): void;
  /** What the protocol reports. */
  usage: StoredUsage;
  /** How the last flush went, which is a write like any other. */
  health(): WriteHealth;
  /** Adds everything counted so far to the database. Rejects if it cannot; nothing is lost then. */
  flush(): Promise<void>;
  /** Flushes, and schedules no more flushes. Call it before the database is closed. */
  stop(): Promise<void>;
};

export type Counter = (by?: number) => void;

/**
 * `flushMs`: how long the last flush took; null before the first. `failingSince`: Unix seconds; null while flushes
 * succeed.
 */
export type WriteHealth = { flushMs: number | null; failingSince: number | null };

export type StatsDeps = {
  /** Unix seconds. */
  now: () => number;
  /** Called when a scheduled flush failed. */
  onError: (error: unknown) => void;
};

const FLUSH_AFTER_MS = 10_000;
const FLUSH_SOON_MS = 1_000;
/** Between two flushes, further keys of a metric are counted together as `other`. */
const MAX_KEYS = 5_000;
const HOUR = 3_600;
const DAY = 86_400;

/** A crash loses the counts of the last ten seconds. */
export function createStats(db: Db, { now, onError }: StatsDeps): Stats {
  let pending = nothing();
  let flushing: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let timerMs = FLUSH_AFTER_MS;
  let stopped = false;
  let health: WriteHealth = { flushMs: null, failingSince: null };
  const { take, ...usage } = createUsageCounts(now, (soon) => schedule(soon ? FLUSH_SOON_MS : FLUSH_AFTER_MS));

  function schedule(afterMs = FLUSH_AFTER_MS): void {
    if (stopped || (timer && afterMs >= timerMs)) return;
    clearTimeout(timer);
    timerMs = afterMs;
    timer = setTimeout(() => void flush().catch(onError), afterMs).unref();
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    flushing = flushing.catch(() => {}).then(write);
    return flushing;
  }

  async function write(): Promise<void> {
    const taken = { ...pending, usage: addUsage(pending.usage, take()) };
    if (isNothing(taken)) return;
    pending = nothing();
    const began = performance.now();
    try {
      const resolved = await resolveUsage(db, taken.usage);
      const counts = [...taken.counts.values(), ...resolved.stats];
      const rows = (seconds: number) =>
        sumRows(
          counts.map(({ at, environment, metric, key, count }) => ({
            at: at - (at % seconds),
            environment,
            metric,
            key,
            count,
          })),
          "count",
        );
      const secrets = [...taken.secrets].map(([id, at]) => ({ id, at }));
      const changes = { hours: rows(HOUR), days: rows(DAY), endpoints: [...taken.endpoints.values()], secrets };
      await addStats(db, { ...changes, usage: resolved.usage });
      health = { flushMs: Math.round(performance.now() - began), failingSince: null };
    } catch (cause) {
      health = { ...health, failingSince: health.failingSince ?? now() };
      pending = together(taken, pending);
      schedule();
      throw cause;
    }
  }

  function useOf(slug: string): EndpointUse {
    const use = pending.endpoints.get(slug) ?? { slug, acceptedAt: null, refused: null };
    pending.endpoints.set(slug, use);
    schedule();
    return use;
  }

  /** Counts in this hour's row, which it returns. */
  function count({ environment, metric, key }: Stat, by: number): StatRow {
    const at = hourOf(now());
    const name = `${at} ${environment} ${metric} ${key}`;
    const full = !pending.counts.has(name) && pending.counts.size >= MAX_KEYS;
    schedule();
    return full
      ? addTo(pending, `${at} ${environment} ${metric} other`, { at, environment, metric, key: "other", count: by })
      : addTo(pending, name, { at, environment, metric, key, count: by });
  }

  return {
    count: (stat, by = 1) => void count(stat, by),
    counter(stat) {
      let row: StatRow | undefined;
      let counts: Pending["counts"] | undefined;
      return (by = 1) => {
        // A flush takes the rows away, and each hour has its own.
        if (row && counts === pending.counts && row.at === hourOf(now())) row.count += by;
        else [row, counts] = [count(stat, by), pending.counts];
      };
    },
    endpointAccepted: (slug, at) => void Object.assign(useOf(slug), { acceptedAt: at }),
    endpointRefused: (slug, at, reason) => void Object.assign(useOf(slug), { refused: { at, reason } }),
    secretMatched(id, at) {
      pending.secrets.set(id, at);
      schedule();
    },
    usage,
    health: () => health,
    flush,
    stop() {
      stopped = true;
      return flush();
    },
  };
}

type Pending = {
  counts: Map<string, StatRow>;
  endpoints: Map<string, EndpointUse>;
  secrets: Map<string, number>;
  usage: CountedUsage;
};

const nothing = (): Pending => ({ counts: new Map(), endpoints: new Map(), secrets: new Map(), usage: nothingUsed() });
const isNothing = ({ counts, endpoints, secrets, usage }: Pending) =>
  counts.size + endpoints.size + secrets.size === 0 && isNothingUsed(usage);

/** Adds the row's count; returns the row that has it now. */
function addTo({ counts }: Pending, name: string, row: StatRow): StatRow {
  const known = counts.get(name);
  if (!known) counts.set(name, row);
  else known.count += row.count;
  return known ?? row;
}

const hourOf = (at: number) => at - (at % HOUR);

/** What could not be written, with what was counted meanwhile. */
function together(earlier: Pending, later: Pending): Pending {
  for (const [name, row] of later.counts) addTo(earlier, name, row);
  for (const [slug, { acceptedAt, refused }] of later.endpoints) {
    const before = earlier.endpoints.get(slug);
    earlier.endpoints.set(slug, {
      slug,
      acceptedAt: acceptedAt ?? before?.acceptedAt ?? null,
      refused: refused ?? before?.refused ?? null,
    });
  }
  const secrets = new Map([...earlier.secrets, ...later.secrets]);
  return { counts: earlier.counts, endpoints: earlier.endpoints, secrets, usage: addUsage(earlier.usage, later.usage) };
}
