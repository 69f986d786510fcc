import type { AccountEventDetail, AccountEventKind, BrandingSettings } from "@gatehouse/accounts";
import { sql } from "drizzle-orm";
import { bigint, boolean, index, json, pgTable, text } from "drizzle-orm/pg-core";
import { bytea } from "./bytea.ts";
import { applications } from "./clients.ts";
import { users } from "./users.ts";

export const accountEvents = pgTable(
  "account_events",
  {
    id: text().primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    at: bigint({ mode: "number" }).notNull(),
    kind: text().$type<AccountEventKind>().notNull(),
    userAgent: text("user_agent"),
    address: text(),
    detail: json().$type<AccountEventDetail>().notNull(),
    logged: boolean().notNull().default(false),
  },
  (table) => [
    index("account_events_user_id").on(table.userId, table.id),
    index("account_events_at").on(table.at),
    index("account_events_unlogged").on(table.id).where(sql`not ${table.logged}`),
  ],
);

export const userPictures = pgTable("user_pictures", {
  userId: text("user_id")
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  type: text().notNull(),
  bytes: bytea().notNull(),
  updatedAt: bigint("updated_at", { mode: "number" }).notNull(),
});

export const applicationBranding = pgTable("application_branding", {
  applicationId: text("application_id")
    .primaryKey()
    .references(() => applications.id, { onDelete: "cascade" }),
  settings: json().$type<BrandingSettings>().notNull(),
  logo: bytea(),
  logoType: text("logo_type"),
  updatedAt: bigint("updated_at", { mode: "number" }).notNull(),
});
