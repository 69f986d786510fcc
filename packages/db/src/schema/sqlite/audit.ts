import type { Environment } from "@gatehouse/auth";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Who changed or revealed something. Written in the same transaction as what it records, and never changed. CO-64. */
export const audit = sqliteTable(
  "audit",
  {
    /** Time-ordered, so it is the order of the log. */
    id: text().primaryKey(),
    at: integer().notNull(),
    actorId: text("actor_id").notNull(),
    actorName: text("actor_name").notNull(),
    role: text().notNull(),
    via: text().$type<"console" | "cli" | "api">().notNull(),
    /** As `webhook.reveal`. */
    action: text().notNull(),
    /** The id of what it is about. */
    object: text().notNull(),
    environment: text().$type<Environment>(),
    detail: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
    address: text(),
  },
  (table) => [index("audit_object").on(table.object, table.id)],
);
