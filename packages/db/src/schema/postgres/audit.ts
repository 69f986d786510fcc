import type { Environment } from "@gatehouse/auth";
import { bigint, index, json, pgTable, text } from "drizzle-orm/pg-core";

export const audit = pgTable(
  "audit",
  {
    id: text().primaryKey(),
    at: bigint({ mode: "number" }).notNull(),
    actorId: text("actor_id").notNull(),
    actorName: text("actor_name").notNull(),
    role: text().notNull(),
    via: text().$type<"console" | "cli" | "api">().notNull(),
    action: text().notNull(),
    object: text().notNull(),
    environment: text().$type<Environment>(),
    detail: json().$type<Record<string, unknown>>().notNull(),
    address: text(),
  },
  (table) => [index("audit_object").on(table.object, table.id)],
);
