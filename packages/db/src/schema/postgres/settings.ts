import { bigint, json, pgTable, text } from "drizzle-orm/pg-core";
import { bytea } from "./bytea.ts";

export const settings = pgTable("settings", {
  id: text().primaryKey(),
  values: json().$type<Record<string, string>>().notNull(),
  version: bigint({ mode: "number" }).notNull(),
});

export const installationLogo = pgTable("installation_logo", {
  id: text().primaryKey(),
  type: text(),
  bytes: bytea(),
  updatedAt: bigint("updated_at", { mode: "number" }).notNull(),
});
