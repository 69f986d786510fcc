import type { SQL } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";

/** Rows of one table that can be deleted. `key` names one row. */
export type DeadRows = ExpiredRows | OldKeys | MatchingRows;

/** Rows whose `time` is at or before `until`; an index has them in that order. */
export type ExpiredRows = {
  kind: "expired";
  table: PgTable;
  key: PgColumn;
  time: PgColumn;
  until: number;
  /** The unit of `time`; seconds by default. */
  unit?: "milliseconds";
};

/** Rows with time-ordered keys below `end`. */
export type OldKeys = {
  kind: "old keys";
  table: PgTable;
  key: PgColumn;
  end: string;
  /** What is at or above goes with its partition. */
  below: string | undefined;
  /** The time in a key, Unix seconds. */
  timeOf(key: string): number;
};

/** Rows that match `condition`. */
export type MatchingRows = { kind: "matching"; table: PgTable; key: PgColumn; condition: SQL | undefined };

/** Marks a row as {@link ExpiredRows}. */
export const expired = (table: PgTable, key: PgColumn, time: PgColumn, until: number): ExpiredRows => ({
  kind: "expired",
  table,
  key,
  time,
  until,
});

/** Marks rows as {@link OldKeys}. */
export const oldKeys = (
  table: PgTable,
  key: PgColumn,
  end: string,
  timeOf: (key: string) => number,
  below?: string,
): OldKeys => ({ kind: "old keys", table, key, end, below, timeOf });

export const matching = (table: PgTable, key: PgColumn, condition: SQL | undefined): MatchingRows => ({
  kind: "matching",
  table,
  key,
  condition,
});
