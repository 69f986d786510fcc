import type { DeliveryReason } from "@gatehouse/webhooks";
import { addStats, type EndpointUse, type StatRow } from "../queries/stats.ts";
import type { Handle } from "../query/handle.ts";

/** One more of something. `key` is from a closed list; `environment` is empty if it has none. */
export type Stat = { environment: string; metric: string; key: string };

/** Counts in memory what charts show, and when endpoints and secrets were last used. CO-11, CO-12. */
export type Stats = {
  /** Counts one more, or `by` more. */
  count(stat: Stat, by?: number): void;
  endpointAccepted(slug: string, at: number): void;
  endpointRefused(slug: string, at: number, reason: DeliveryReason): void;
  secretMatched(id: string, at: number): void;
  /** Adds everything counted so far to the database. Rejects if it cannot; nothing is lost then. */
  flush(): Promise<void>;
  /** Flushes, and schedules no more flushes. Call it before the database is closed. */
  stop(): Promise<void>;
};

export type StatsDeps = {
  /** Unix seconds. */
  now: () => number;
  /** Called when a scheduled flush failed. */
  onError: (error: unknown) => void;
};

const FLUSH_AFTER_MS = 10_000;
/** Between two flushes, further keys of a metric are counted together as `other`. */
const MAX_KEYS = 5_000;
const HOUR = 3_600;
const DAY = 86_400;

/** A crash loses the counts of the last ten seconds. */
export function createStats(handle: Handle, { now, onError }: StatsDeps): Stats {
  let pending = nothing();
  let flushing: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  function schedule(): void {
    if (timer || stopped) return;
    timer = setTimeout(() => void flush().catch(onError), FLUSH_AFTER_MS).unref();
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    flushing = flushing.catch(() => {}).then(write);
    return flushing;
  }

  async function write(): Promise<void> {
    const taken = pending;
    if (isNothing(taken)) return;
    pending = nothing();
    try {
      const counts = [...taken.counts.values()];
      const rows = (seconds: number) => sumBy(counts.map(({ at, ...row }) => ({ ...row, at: at - (at % seconds) })));
      const secrets = [...taken.secrets].map(([id, at]) => ({ id, at }));
      await addStats(handle, { hours: rows(HOUR), days: rows(DAY), endpoints: [...taken.endpoints.values()], secrets });
    } catch (cause) {
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

  return {
    count({ environment, metric, key }, by = 1) {
      const hour = Math.floor(now() / HOUR);
      const name = `${hour} ${environment} ${metric} ${key}`;
      const known = pending.counts.get(name);
      if (known) {
        known.count += by;
        return;
      }
      const full = pending.counts.size >= MAX_KEYS;
      addTo(pending, full ? `${hour} ${environment} ${metric} other` : name, {
        ...{ at: hour * HOUR, environment, metric, key: full ? "other" : key, count: by },
      });
      schedule();
    },
    endpointAccepted: (slug, at) => void Object.assign(useOf(slug), { acceptedAt: at }),
    endpointRefused: (slug, at, reason) => void Object.assign(useOf(slug), { refused: { at, reason } }),
    secretMatched(id, at) {
      pending.secrets.set(id, at);
      schedule();
    },
    flush,
    stop() {
      stopped = true;
      return flush();
    },
  };
}

type Pending = { counts: Map<string, StatRow>; endpoints: Map<string, EndpointUse>; secrets: Map<string, number> };

const nothing = (): Pending => ({ counts: new Map(), endpoints: new Map(), secrets: new Map() });
const isNothing = ({ counts, endpoints, secrets }: Pending) => counts.size + endpoints.size + secrets.size === 0;

function addTo({ counts }: Pending, name: string, row: StatRow): void {
  const known = counts.get(name);
  if (known) known.count += row.count;
  else counts.set(name, row);
}

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
  return { counts: earlier.counts, endpoints: earlier.endpoints, secrets: new Map([...earlier.secrets, ...later.secrets]) };
}

function sumBy(rows: readonly StatRow[]): StatRow[] {
  const sums = new Map<string, StatRow>();
  for (const row of rows) {
    const name = `${row.at} ${row.environment} ${row.metric} ${row.key}`;
    const known = sums.get(name);
    if (known) known.count += row.count;
    else sums.set(name, { ...row });
  }
  return [...sums.values()];
}
