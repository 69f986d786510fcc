import { type FailureGroup, failureGroup, type Refusal, type RefusalStore, sha256 } from "@gatehouse/auth";
import type { Db } from "../../query/db.ts";
import { type CountedGroup, clientsAmong, ROWS_OF_GROUP, writeFailures } from "./failure-groups.ts";

const HOUR = 3_600;
/** Ids that requests claim; refusals of further ones count for no client until the next write. */
const MAX_CLAIMED = 2_000;
/** Pause between two writes while refusals arrive faster than they can be stored. */
const PAUSE_MS = 200;
/** How many groups' rows are counted in memory, to know when a group has to be trimmed. */
const MAX_COUNTERS = 10_000;

/** In place of a group's key: refusals of test runs are in none. */
const TEST_RUNS = "test runs";

/** Refusals with the same claimed client id, cause, endpoint and difference. */
type Waiting = {
  /** False for those whose claimed ids were too many to tell apart. */
  named: boolean;
  count: number;
  firstAt: number;
  lastAt: number;
  hours: Map<number, number>;
  newest: { refusal: Refusal; done: () => void; failed: (cause: unknown) => void }[];
};

/**
 * Writes the failure ledger. Refusals that arrive during a write are written together by the next; of each group, only
 * the newest fifty, and the rest are counted. So a flood costs a bounded number of rows, and none of them is another
 * group's. The promise resolves when the refusal is stored or dropped, and rejects if the write failed, which the
 * caller logs. CO-51, CO-52.
 */
export function createFailureLedger(db: Db): RefusalStore["recordRefusal"] {
  let waiting = new Map<string, Waiting>();
  let outnumbered = false;
  let writing = false;
  const untrimmed = new Map<string, number>();

  function add(refusal: Refusal, { done, failed }: Omit<Waiting["newest"][number], "refusal">): void {
    const named = refusal.uncounted ? TEST_RUNS : keyOf(failureGroup(refusal, true));
    const isNamed = waiting.has(named) || waiting.size < MAX_CLAIMED;
    const key = isNamed || refusal.uncounted ? named : keyOf(failureGroup(refusal, false));
    const known: Waiting = waiting.get(key) ?? {
      named: isNamed,
      count: 0,
      firstAt: refusal.at,
      lastAt: refusal.at,
      hours: new Map(),
      newest: [],
    };
    waiting.set(key, known);
    known.count += 1;
    known.lastAt = Math.max(known.lastAt, refusal.at);
    const hour = refusal.at - (refusal.at % HOUR);
    known.hours.set(hour, (known.hours.get(hour) ?? 0) + 1);
    known.newest.push({ refusal, done, failed });
    if (known.newest.length <= ROWS_OF_GROUP) return;
    outnumbered = true;
    known.newest.shift()?.done();
  }

  async function writeAll(): Promise<void> {
    writing = true;
    while (waiting.size > 0) {
      const ofTestRuns = waiting.get(TEST_RUNS)?.newest ?? [];
      const taken = [...waiting.values()];
      const pause = outnumbered;
      waiting = new Map();
      outnumbered = false;
      try {
        const groups = await countedGroups(taken.filter(({ newest }) => newest !== ofTestRuns));
        await writeFailures(
          db,
          groups,
          ofTestRuns.map(({ refusal }) => refusal),
        );
        for (const { newest } of taken) for (const { done } of newest) done();
      } catch (cause) {
        for (const { newest } of taken) for (const { failed } of newest) failed(cause);
      }
      if (pause) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS).unref());
    }
    writing = false;
  }

  /** The groups as they are stored: claimed ids that are no client's share one. */
  async function countedGroups(taken: readonly Waiting[]): Promise<CountedGroup[]> {
    const claimed = new Set(taken.flatMap(({ named, newest }) => (named ? (newest[0]?.refusal.clientId ?? []) : [])));
    const clients = await clientsAmong(db, [...claimed]);
    const groups = new Map<string, CountedGroup>();
    for (const part of taken) {
      const refusal = part.newest[0]?.refusal;
      if (!refusal) continue;
      const group = failureGroup(refusal, part.named && refusal.clientId !== null && clients.has(refusal.clientId));
      const key = keyOf(group);
      groups.set(key, together({ ...group, key }, part, groups.get(key)));
    }
    return [...groups.values()].map((group) => ({ ...group, trim: isDue(group) }));
  }

  /** Once for every fifty rows that this process writes to a group. */
  function isDue({ key, rows }: CountedGroup): boolean {
    if (untrimmed.size >= MAX_COUNTERS) untrimmed.clear();
    const written = (untrimmed.get(key) ?? 0) + rows.length;
    const due = written >= ROWS_OF_GROUP;
    untrimmed.set(key, due ? 0 : written);
    return due;
  }

  return (refusal) =>
    new Promise((resolve, reject) => {
      add(refusal, { done: resolve, failed: reject });
      if (!writing) void writeAll();
    });
}

function together(group: FailureGroup & { key: string }, part: Waiting, other: CountedGroup | undefined): CountedGroup {
  const rows = [...(other?.rows ?? []), ...part.newest.map(({ refusal }) => refusal)];
  const hours = new Map(other?.hours);
  for (const [at, count] of part.hours) hours.set(at, (hours.get(at) ?? 0) + count);
  return {
    ...group,
    firstAt: Math.min(part.firstAt, other?.firstAt ?? part.firstAt),
    lastAt: Math.max(part.lastAt, other?.lastAt ?? part.lastAt),
    count: part.count + (other?.count ?? 0),
    hours,
    rows: rows.toSorted((one, another) => one.at - another.at).slice(-ROWS_OF_GROUP),
    trim: false,
  };
}

/** The same for the same group, whatever its parts contain. */
function keyOf({ cause, endpoint, clientId, difference }: FailureGroup): string {
  return sha256(JSON.stringify([cause, endpoint, clientId, difference])).slice(0, 22);
}
