import { bigint, index, integer, pgTable, text } from "drizzle-orm/pg-core";

export const rateLimits = pgTable(
  "rate_limits",
  {
    key: text().primaryKey(),
    points: integer().notNull(),
    expire: bigint({ mode: "number" }),
  },
  (table) => [index("rate_limits_expire").on(table.expire)],
);

export const installation = pgTable("installation", {
  key: text().primaryKey(),
  value: text().notNull(),
});
