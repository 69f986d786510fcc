import { bigint, pgTable, primaryKey, text } from "drizzle-orm/pg-core";

export const statHour = pgTable(
  "stat_hour",
  {
    at: bigint({ mode: "number" }).notNull(),
    environment: text().notNull(),
    metric: text().notNull(),
    key: text().notNull(),
    count: bigint({ mode: "number" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.at, table.environment, table.metric, table.key] })],
);

export const statDay = pgTable(
  "stat_day",
  {
    at: bigint({ mode: "number" }).notNull(),
    environment: text().notNull(),
    metric: text().notNull(),
    key: text().notNull(),
    count: bigint({ mode: "number" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.at, table.environment, table.metric, table.key] })],
);
