import { LIFETIME, LIFETIME_BOUNDS, timeOfId, timeOrderedIdsFrom } from "@gatehouse/auth";
import { deliveryIdsFrom, deliveryTime } from "@gatehouse/webhooks";
import { KEPT, KEPT_DAYS } from "../retention.ts";

const HOUR = 3_600;
const DAY = 24 * HOUR;

/** A table that can be partitioned on PostgreSQL: its key begins with a time, and its rows are dead some time after it. */
export type PartitionedTable = {
  /** The column of its primary key. */
  key: string;
  /** The lower bound of the keys of that Unix second and later ones. */
  keysFrom(seconds: number): string;
  /** The time in a key, Unix seconds. */
  timeOf(key: string): number;
  /** How many seconds after the time in its key a row is deleted. */
  keptSeconds: number;
  /** How far in the future the time in a new key can lie, at most; nowhere if the key has the time of its creation. */
  reachSeconds: number;
  /** How many seconds a partition can span, narrowest first. */
  widths: readonly [number, ...number[]];
  /** How many partitions are there before they are needed. */
  ahead: number;
};

/**
 * OP-35. Every other large table either has a key without a time (spent ids, refusals, events), changes its rows for as
 * long as they live (refresh families), or is small.
 */
export const PARTITIONED = {
  access_tokens: {
    key: "hash",
    keysFrom: timeOrderedIdsFrom,
    timeOf: timeOfId,
    keptSeconds: KEPT.accessToken,
    reachSeconds: LIFETIME_BOUNDS.accessTokenSeconds.max,
    widths: [HOUR, 2 * HOUR, 3 * HOUR, 4 * HOUR, 6 * HOUR],
    ahead: 2,
  },
  authorization_codes: {
    key: "hash",
    keysFrom: timeOrderedIdsFrom,
    timeOf: timeOfId,
    keptSeconds: LIFETIME.codeSeconds + KEPT.code,
    reachSeconds: 0,
    widths: [DAY],
    ahead: 2,
  },
  webhook_deliveries: {
    key: "id",
    keysFrom: deliveryIdsFrom,
    timeOf: deliveryTime,
    keptSeconds: KEPT_DAYS * DAY,
    reachSeconds: 0,
    widths: [30 * DAY],
    ahead: 1,
  },
} as const satisfies Record<string, PartitionedTable>;

export type PartitionedName = keyof typeof PARTITIONED;
export const PARTITIONED_NAMES = Object.keys(PARTITIONED) as PartitionedName[];

/** Live rows are in no more partitions than this, so that a statement that touches all of them stays cheap. */
const MOST_LIVE = 5;

/** How many seconds the next partition spans: as few as {@link MOST_LIVE} allows. */
export function widthFor({ widths, keptSeconds }: PartitionedTable, reachSeconds: number): number {
  const narrow = widths.find((width) => (reachSeconds + keptSeconds) / width <= MOST_LIVE);
  return narrow ?? widths.at(-1) ?? DAY;
}

/** SQL: the lifetime of a client's access tokens, where it is not the default. */
export const LONGEST = `("options" ->> 'accessTokenSeconds')::bigint`;

/**
 * How far in the future the time in a new key can lie, given the longest lifetime of a client's access tokens. A client
 * whose tokens live longer from now on gets its partitions with the next turn of `keepPartitions`, which moves the rows
 * that the default one has until then.
 */
export function reachFor(table: PartitionedName, longestSeconds: number): number {
  return Math.min(PARTITIONED[table].reachSeconds, Math.max(LIFETIME.accessTokenSeconds, longestSeconds));
}
