import type { OAuthErrorCode, RefusalCause, RefusalDetail } from "@gatehouse/auth";
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Refusals with the same cause, endpoint, client and difference. At most 5,000: the sweeper deletes those of unknown
 * clients first, and of the rest those that happened longest ago. CO-46, CO-51.
 */
export const refusalGroups = sqliteTable(
  "refusal_groups",
  {
    key: text().primaryKey(),
    cause: text().$type<RefusalCause>().notNull(),
    endpoint: text().notNull(),
    /** Null for every claimed id that was no client's. */
    clientId: text("client_id"),
    /** From a closed list; empty if the cause says it all. */
    difference: text().notNull(),
    firstAt: integer("first_at").notNull(),
    lastAt: integer("last_at").notNull(),
    count: integer().notNull(),
    /** Until then the group is not in the default view. */
    mutedUntil: integer("muted_until"),
    /** Set by a person; the next refusal clears it and sets `regressedAt`. */
    resolvedAt: integer("resolved_at"),
    regressedAt: integer("regressed_at"),
  },
  (table) => [index("refusal_groups_last_at").on(table.lastAt, table.key)],
);

/** Refusals of a group in one hour; `at` is its start. Kept for 14 days. */
export const refusalGroupHours = sqliteTable(
  "refusal_group_hours",
  {
    groupKey: text("group_key")
      .notNull()
      .references(() => refusalGroups.key, { onDelete: "cascade" }),
    at: integer().notNull(),
    count: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.groupKey, table.at] }),
    index("refusal_group_hours_at").on(table.at, table.groupKey),
  ],
);

/** The failure ledger: the true causes of refused requests. Kept for 90 days; of each group, the newest fifty. */
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
    /** Whose credential or session it was, where that is known. */
    userId: text("user_id"),
    /** Null for those of test runs, and for rows from before groups. */
    groupKey: text("group_key").references(() => refusalGroups.key, { onDelete: "cascade" }),
  },
  (table) => [
    index("refusals_at").on(table.at, table.errorId),
    index("refusals_client_id").on(table.clientId, table.at),
    index("refusals_user_id").on(table.userId, table.at, table.errorId).where(sql`${table.userId} is not null`),
    index("refusals_group").on(table.groupKey, table.at, table.errorId),
  ],
);
