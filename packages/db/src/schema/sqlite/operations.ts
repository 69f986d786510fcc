import type { OAuthErrorCode, RefusalCause, RefusalDetail } from "@gatehouse/auth";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** The failure ledger: the true causes of refused requests. The sweeper keeps the newest ten thousand. */
export const refusals = sqliteTable(
  "refusals",
  {
    errorId: text("error_id").primaryKey(),
    at: integer().notNull(),
    endpoint: text().notNull(),
    error: text().$type<OAuthErrorCode>().notNull(),
    cause: text().$type<RefusalCause>().notNull(),
    message: text().notNull(),
    detail: text({ mode: "json" }).$type<RefusalDetail>().notNull(),
    /** As sent; may not be the id of a client. */
    clientId: text("client_id"),
    address: text(),
  },
  (table) => [index("refusals_at").on(table.at, table.errorId), index("refusals_client_id").on(table.clientId, table.at)],
);

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
