import type { ReadDb } from "../../query/db.ts";
import type { StatRow } from "./stat-writes.ts";
import { type ApplicationUseRow, placesOfClients, type UsageRows } from "./usage-writes.ts";

/**
 * Refusals or sign-ins for one claimed client id ("" is none). Whether it is a client's, and of which environment, is
 * looked up when they are written.
 */
type ClaimedCount = { at: number; clientId: string; metric: "refusal" | "sign_in"; key: string; count: number };

/** Counts of the protocol that are not yet written: by client and secret, and for charts. */
export type CountedUsage = {
  [Table in Exclude<keyof UsageRows, "applications" | "refusalHours">]: UsageRows[Table][number][];
} & {
  stats: StatRow[];
  claimed: ClaimedCount[];
};

const HOUR = 3_600;
const DAY = 86_400;
/** While the database cannot be written, refusals and sign-ins of further clients count for no client. */
const MAX_CLAIMED = 10_000;

export const nothingUsed = (): CountedUsage => ({
  clients: [],
  secrets: [],
  uris: [],
  scopes: [],
  lastTokens: [],
  stats: [],
  claimed: [],
});

export const isNothingUsed = (usage: CountedUsage): boolean => Object.values(usage).every((rows) => rows.length === 0);

/** Both together, with one row for each key. */
export function addUsage(one: CountedUsage, other: CountedUsage): CountedUsage {
  const claimed = sumRows([...one.claimed, ...other.claimed], "count");
  const lastTokens = new Map([...one.lastTokens, ...other.lastTokens].map((row) => [row.clientId, row]));
  return {
    clients: sumRows([...one.clients, ...other.clients], "count"),
    secrets: sumRows([...one.secrets, ...other.secrets], "uses"),
    uris: sumRows([...one.uris, ...other.uris], "uses"),
    scopes: sumRows([...one.scopes, ...other.scopes], "uses"),
    lastTokens: [...lastTokens.values()],
    stats: sumRows([...one.stats, ...other.stats], "count"),
    claimed:
      claimed.length <= MAX_CLAIMED
        ? claimed
        : sumRows(
            claimed.map((row, at) => (at < MAX_CLAIMED ? row : { ...row, clientId: "" })),
            "count",
          ),
  };
}

/**
 * The rows to write. Refusals and sign-ins count in the environment of the client, and for its application, if it
 * exists.
 */
export async function resolveUsage(db: ReadDb, usage: CountedUsage): Promise<{ usage: UsageRows; stats: StatRow[] }> {
  const named = [...usage.claimed, ...usage.lastTokens].map(({ clientId }) => clientId);
  const places = await placesOfClients(db, [...new Set(named.filter((clientId) => clientId !== ""))]);
  const refused = usage.claimed.filter(({ metric, clientId }) => metric === "refusal" && places.has(clientId));
  const refusals = refused.map(({ at, clientId, metric, count }) => ({
    clientId,
    day: at - (at % DAY),
    metric,
    count,
  }));
  const stats = usage.claimed.map(({ at, clientId, metric, key, count }) => {
    return { at, environment: places.get(clientId)?.environment ?? "", metric, key, count };
  });
  const refusalHours = refused.flatMap(({ at, clientId, count }) => {
    const applicationId = places.get(clientId)?.applicationId;
    return applicationId === undefined ? [] : [{ applicationId, hour: at - (at % HOUR), count }];
  });
  const applications = new Map<string, ApplicationUseRow>();
  const useOf = (applicationId: string) => {
    const known = applications.get(applicationId) ?? { applicationId, lastTokenAt: 0, refusals: 0 };
    applications.set(applicationId, known);
    return known;
  };
  for (const { clientId, lastTokenAt } of usage.lastTokens) {
    const place = places.get(clientId);
    if (place)
      Object.assign(useOf(place.applicationId), {
        lastTokenAt: Math.max(lastTokenAt, useOf(place.applicationId).lastTokenAt),
      });
  }
  for (const { applicationId, count } of refusalHours) useOf(applicationId).refusals += count;
  return {
    usage: {
      ...usage,
      clients: sumRows([...usage.clients, ...refusals], "count"),
      refusalHours: sumRows(refusalHours, "count"),
      applications: [...applications.values()],
    },
    stats: [...usage.stats, ...stats],
  };
}

/** Adds up rows that differ in nothing but `field`. Their columns are in the same order. */
export function sumRows<Row extends object>(rows: readonly Row[], field: keyof Row & string): Row[] {
  const sums = new Map<string, Row>();
  for (const row of rows) {
    const key = JSON.stringify({ ...row, [field]: 0 });
    const known = sums.get(key);
    if (known) Object.assign(known, { [field]: Number(known[field]) + Number(row[field]) });
    else sums.set(key, { ...row });
  }
  return [...sums.values()];
}
