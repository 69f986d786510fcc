import type { OAuthErrorCode, RefusalCause, RefusalDetail } from "@gatehouse/auth";
import { bigint, index, integer, json, pgTable, text } from "drizzle-orm/pg-core";

export const refusals = pgTable(
  "refusals",
  {
    errorId: text("error_id").primaryKey(),
    at: bigint({ mode: "number" }).notNull(),
    endpoint: text().notNull(),
    error: text().$type<OAuthErrorCode>().notNull(),
    cause: text().$type<RefusalCause>().notNull(),
    message: text().notNull(),
    detail: json().$type<RefusalDetail>().notNull(),
    clientId: text("client_id"),
    address: text(),
  },
  (table) => [index("refusals_at").on(table.at, table.errorId), index("refusals_client_id").on(table.clientId, table.at)],
);

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
