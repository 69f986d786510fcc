import { type FailureGroup, failureGroup, type Refusal, type RefusalStore, sha256 } from "@gatehouse/auth";
import type { Db } from "../../query/db.ts";
import { type Batch, createBoundedWrites, createTrimTimes } from "../bounded-writes.ts";
import { type CountedGroup, clientsAmong, ROWS_OF_GROUP, writeFailures } from "./failure-groups.ts";

const HOUR = 3_600;
/** Ids that requests claim; refusals of further ones count for no client until the next write. */
const MAX_CLAIMED = 2_000;

/** In place of a group's key: refusals of test runs are in none. */
const TEST_RUNS = "test runs";

/** Counts of refusals with the same claimed client id, cause, endpoint and difference. */
type Counts = {
  /** False for those whose claimed ids were too many to tell apart. */
  named: boolean;
  count: number;
  firstAt: number;
  lastAt: number;
  hours: Map<number, number>;
};
type Part = Batch<Refusal, Counts>;

/**
 * Writes the failure ledger, as {@link createBoundedWrites} does: of each group, the newest fifty, and the rest are
 * counted. CO-51, CO-52.
 */
export function createFailureLedger(db: Db): RefusalStore["recordRefusal"] {
  const isDue = createTrimTimes(ROWS_OF_GROUP);

  /** The groups as they are stored: claimed ids that are no client's share one. */
  async function countedGroups(parts: readonly Part[]): Promise<CountedGroup[]> {
    const claimed = new Set(parts.flatMap(({ tally, newest }) => (tally.named ? (newest[0]?.clientId ?? []) : [])));
    const clients = await clientsAmong(db, [...claimed]);
    const groups = new Map<string, CountedGroup>();
    for (const part of parts) {
      const [refusal] = part.newest;
      if (!refusal) continue;
      const group = failureGroup(
        refusal,
        part.tally.named && refusal.clientId !== null && clients.has(refusal.clientId),
      );
      const key = keyOf(group);
      groups.set(key, together({ ...group, key }, part, groups.get(key)));
    }
    return [...groups.values()].map((group) => ({ ...group, trim: isDue(group.key, group.rows.length) }));
  }

  return createBoundedWrites<Refusal, Counts>({
    most: ROWS_OF_GROUP,
    place(refusal, waiting) {
      const key = refusal.uncounted ? TEST_RUNS : keyOf(failureGroup(refusal, true));
      const named = waiting.has(key) || waiting.size < MAX_CLAIMED;
      const start = () => ({ named, count: 0, firstAt: refusal.at, lastAt: refusal.at, hours: new Map() });
      return { key: named || refusal.uncounted ? key : keyOf(failureGroup(refusal, false)), start };
    },
    count(counts, { at }) {
      counts.count += 1;
      counts.lastAt = Math.max(counts.lastAt, at);
      const hour = at - (at % HOUR);
      counts.hours.set(hour, (counts.hours.get(hour) ?? 0) + 1);
    },
    async write(parts) {
      const ofTestRuns = parts.find(({ key }) => key === TEST_RUNS)?.newest ?? [];
      await writeFailures(db, await countedGroups(parts.filter(({ key }) => key !== TEST_RUNS)), ofTestRuns);
    },
  });
}

function together(
  group: FailureGroup & { key: string },
  { tally, newest }: Part,
  other: CountedGroup | undefined,
): CountedGroup {
  const rows = [...(other?.rows ?? []), ...newest];
  const hours = new Map(other?.hours);
  for (const [at, count] of tally.hours) hours.set(at, (hours.get(at) ?? 0) + count);
  return {
    ...group,
    firstAt: Math.min(tally.firstAt, other?.firstAt ?? tally.firstAt),
    lastAt: Math.max(tally.lastAt, other?.lastAt ?? tally.lastAt),
    count: tally.count + (other?.count ?? 0),
    hours,
    rows: rows.toSorted((one, another) => one.at - another.at).slice(-ROWS_OF_GROUP),
    trim: false,
  };
}

/** The same for the same group, whatever its parts contain. */
function keyOf({ cause, endpoint, clientId, difference }: FailureGroup): string {
  return sha256(JSON.stringify([cause, endpoint, clientId, difference])).slice(0, 22);
}
