import { blob, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** What admins set in the console instead of by an environment variable: at most one row. CO-67. */
export const settings = sqliteTable("settings", {
  /** Always "settings". */
  id: text().primaryKey(),
  /** By the name of the variable, the value as the variable would have it. */
  values: text({ mode: "json" }).$type<Record<string, string>>().notNull(),
  /** Counts the changes. */
  version: integer().notNull(),
});

/** The logo of the installation: at most one row, which stays without a picture once the logo is removed. CO-68. */
export const installationLogo = sqliteTable("installation_logo", {
  /** Always "logo". */
  id: text().primaryKey(),
  type: text(),
  bytes: blob({ mode: "buffer" }),
  /** Differs after each change: names what browsers cached. */
  updatedAt: integer("updated_at").notNull(),
});
