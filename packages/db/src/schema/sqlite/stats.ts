import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

// Counts for charts. Each process counts in memory and adds its counts every few seconds, so a row changes often but a
// request writes none. `environment` is empty for a count of no environment. CO-11, CO-12. On SQLite both are WITHOUT
// ROWID.

/** Counts of one hour; `at` is its start. Kept for 35 days. */
export const statHour = sqliteTable(
  "stat_hour",
  {
    at: integer().notNull(),
    environment: text().notNull(),
    metric: text().notNull(),
    key: text().notNull(),
    count: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.at, table.environment, table.metric, table.key] })],
);

/** Counts of one day in UTC; `at` is its start. Kept for 400 days. */
export const statDay = sqliteTable(
  "stat_day",
  {
    at: integer().notNull(),
    environment: text().notNull(),
    metric: text().notNull(),
    key: text().notNull(),
    count: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.at, table.environment, table.metric, table.key] })],
);
