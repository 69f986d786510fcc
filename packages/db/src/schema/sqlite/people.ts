import type { AccountEventDetail, AccountEventKind, BrandingSettings } from "@gatehouse/accounts";
import { sql } from "drizzle-orm";
import { blob, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { applications } from "./clients.ts";
import { users } from "./users.ts";

/**
 * What happened to an account, for its user and for admins. Names and devices, never a secret. Kept for 180 days.
 * SN-05.
 */
export const accountEvents = sqliteTable(
  "account_events",
  {
    /** Time-ordered. */
    id: text().primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    at: integer().notNull(),
    kind: text().$type<AccountEventKind>().notNull(),
    userAgent: text("user_agent"),
    address: text(),
    detail: text({ mode: "json" }).$type<AccountEventDetail>().notNull(),
    /**
     * Whether it was written to stdout. A mark on each row, since transactions do not commit in the order of their ids,
     * so a cursor would skip some. OP-78.
     */
    logged: integer({ mode: "boolean" }).notNull().default(false),
  },
  (table) => [
    index("account_events_user_id").on(table.userId, table.id),
    index("account_events_at").on(table.at),
    index("account_events_unlogged").on(table.id).where(sql`not ${table.logged}`),
  ],
);

/** A user's picture, encoded again after the upload. RG-09. */
export const userPictures = sqliteTable("user_pictures", {
  userId: text("user_id")
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  type: text().notNull(),
  bytes: blob({ mode: "buffer" }).notNull(),
  updatedAt: integer("updated_at").notNull(),
});

/** How an application looks on the pages and in mails that it causes. BD-01. */
export const applicationBranding = sqliteTable("application_branding", {
  applicationId: text("application_id")
    .primaryKey()
    .references(() => applications.id, { onDelete: "cascade" }),
  settings: text({ mode: "json" }).$type<BrandingSettings>().notNull(),
  logo: blob({ mode: "buffer" }),
  logoType: text("logo_type"),
  updatedAt: integer("updated_at").notNull(),
});
