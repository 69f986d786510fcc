import { bigint, json, pgTable, text } from "drizzle-orm/pg-core";

export const settings = pgTable("settings", {
  id: text().primaryKey(),
  values: json().$type<Record<string, string>>().notNull(),
  version: bigint({ mode: "number" }).notNull(),
});
