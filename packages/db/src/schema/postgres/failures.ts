import type { OAuthErrorCode, RefusalCause, RefusalDetail } from "@gatehouse/auth";
import { sql } from "drizzle-orm";
import { bigint, index, integer, json, pgTable, primaryKey, text } from "drizzle-orm/pg-core";

export const refusalGroups = pgTable(
  "refusal_groups",
  {
    key: text().primaryKey(),
    cause: text().$type<RefusalCause>().notNull(),
    endpoint: text().notNull(),
    clientId: text("client_id"),
    difference: text().notNull(),
    firstAt: bigint("first_at", { mode: "number" }).notNull(),
    lastAt: bigint("last_at", { mode: "number" }).notNull(),
    count: bigint({ mode: "number" }).notNull(),
    mutedUntil: bigint("muted_until", { mode: "number" }),
    resolvedAt: bigint("resolved_at", { mode: "number" }),
    regressedAt: bigint("regressed_at", { mode: "number" }),
  },
  (table) => [index("refusal_groups_last_at").on(table.lastAt, table.key)],
);

export const refusalGroupHours = pgTable(
  "refusal_group_hours",
  {
    groupKey: text("group_key")
      .notNull()
      .references(() => refusalGroups.key, { onDelete: "cascade" }),
    at: bigint({ mode: "number" }).notNull(),
    count: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.groupKey, table.at] }),
    index("refusal_group_hours_at").on(table.at, table.groupKey),
  ],
);

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
    userId: text("user_id"),
    groupKey: text("group_key").references(() => refusalGroups.key, { onDelete: "cascade" }),
  },
  (table) => [
    index("refusals_at").on(table.at, table.errorId),
    index("refusals_client_id").on(table.clientId, table.at),
    index("refusals_user_id").on(table.userId, table.at, table.errorId).where(sql`${table.userId} is not null`),
    index("refusals_group").on(table.groupKey, table.at, table.errorId),
  ],
);
