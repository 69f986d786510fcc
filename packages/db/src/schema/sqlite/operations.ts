import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Failures counted by key (an account, an address). The columns are those of rate-limiter-flexible. */
export const rateLimits = sqliteTable(
  "rate_limits",
  {
    key: text().primaryKey(),
    points: integer().notNull(),
    /** Unix milliseconds, as the library writes it. */
    expire: integer(),
  },
  (table) => [index("rate_limits_expire").on(table.expire)],
);

/** Facts about the installation itself, for example when it was set up. */
export const installation = sqliteTable("installation", {
  key: text().primaryKey(),
  value: text().notNull(),
});
