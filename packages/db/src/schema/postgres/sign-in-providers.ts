import type { ProviderSettings } from "@gatehouse/accounts";
import { bigint, boolean, index, json, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { users } from "./users.ts";

export const signInProviders = pgTable("sign_in_providers", {
  id: text().primaryKey(),
  preset: text().notNull(),
  name: text().notNull(),
  issuer: text(),
  clientId: text("client_id").notNull(),
  secret: text(),
  settings: json().$type<ProviderSettings>().notNull(),
  position: bigint({ mode: "number" }).notNull(),
  enabled: boolean().notNull(),
  createdAt: bigint("created_at", { mode: "number" }).notNull(),
  updatedAt: bigint("updated_at", { mode: "number" }).notNull(),
  version: bigint({ mode: "number" }).notNull().default(1),
});

export const identities = pgTable(
  "identities",
  {
    id: text().primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    provider: text().notNull(),
    issuer: text().notNull(),
    subject: text().notNull(),
    email: text(),
    createdAt: bigint("created_at", { mode: "number" }).notNull(),
    lastUsedAt: bigint("last_used_at", { mode: "number" }),
  },
  (table) => [
    uniqueIndex("identities_subject").on(table.provider, table.issuer, table.subject),
    index("identities_user_id").on(table.userId, table.createdAt),
  ],
);
