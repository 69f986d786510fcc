import type { ProviderSettings } from "@gatehouse/accounts";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { users } from "./users.ts";

/** A provider that users can sign in with. The secret is sealed and never shown. UP-01. */
export const signInProviders = sqliteTable("sign_in_providers", {
  /** Part of the callback URL. */
  id: text().primaryKey(),
  preset: text().notNull(),
  name: text().notNull(),
  issuer: text(),
  clientId: text("client_id").notNull(),
  secret: text(),
  settings: text({ mode: "json" }).$type<ProviderSettings>().notNull(),
  /** The order of the buttons. */
  position: integer().notNull(),
  enabled: integer({ mode: "boolean" }).notNull(),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
  /** Raised by each change, so that an editor can tell whether somebody else saved meanwhile. CO-45. */
  version: integer().notNull().default(1),
});

/** A user's account at a provider. Known by issuer and subject alone, never by an address. UP-06. */
export const identities = sqliteTable(
  "identities",
  {
    id: text().primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    provider: text().notNull(),
    issuer: text().notNull(),
    subject: text().notNull(),
    /** As the provider last sent it; for lists only. */
    email: text(),
    createdAt: integer("created_at").notNull(),
    lastUsedAt: integer("last_used_at"),
  },
  (table) => [
    uniqueIndex("identities_subject").on(table.provider, table.issuer, table.subject),
    index("identities_user_id").on(table.userId, table.createdAt),
  ],
);
