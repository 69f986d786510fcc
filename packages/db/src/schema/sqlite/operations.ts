import type { OAuthErrorCode, RefusalCause, RefusalDetail } from "@gatehouse/auth";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** The failure ledger: why requests were really refused. Bounded: the sweeper keeps the newest ten thousand. */
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
    /** As sent: may name no client of ours. */
    clientId: text("client_id"),
    address: text(),
  },
  (table) => [index("refusals_at").on(table.at, table.errorId), index("refusals_client_id").on(table.clientId, table.at)],
);

/** Failures counted against a key (an account, an address). The layout is rate-limiter-flexible's. */
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

/** Small facts about the installation itself, e.g. when it was first set up. */
export const installation = sqliteTable("installation", {
  key: text().primaryKey(),
  value: text().notNull(),
});
