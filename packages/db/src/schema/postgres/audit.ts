import type { Environment } from "@gatehouse/auth";
import { sql } from "drizzle-orm";
import { bigint, index, json, pgTable, text } from "drizzle-orm/pg-core";

export const audit = pgTable(
  "audit",
  {
    id: text().primaryKey(),
    at: bigint({ mode: "number" }).notNull(),
    actorId: text("actor_id").notNull(),
    actorName: text("actor_name").notNull(),
    role: text().notNull(),
    via: text().$type<"console" | "cli" | "api" | "api_token" | "server">().notNull(),
    action: text().notNull(),
    object: text().notNull(),
    environment: text().$type<Environment>(),
    detail: json().$type<Record<string, unknown>>().notNull(),
    address: text(),
    objectName: text("object_name"),
    userAgent: text("user_agent"),
    requestId: text("request_id"),
    number: bigint({ mode: "number" }),
    hash: text(),
    mac: text(),
    keyId: text("key_id"),
  },
  (table) => [
    index("audit_object").on(table.object, table.id),
    index("audit_actor").on(table.actorId, table.id),
    index("audit_number").on(table.number),
    index("audit_unsealed").on(table.id).where(sql`${table.number} is null`),
  ],
);

export const auditChain = pgTable("audit_chain", {
  id: text().primaryKey(),
  number: bigint({ mode: "number" }).notNull(),
  hash: text().notNull(),
  mac: text().notNull(),
  keyId: text("key_id").notNull(),
  prunedNumber: bigint("pruned_number", { mode: "number" }).notNull(),
  prunedHash: text("pruned_hash").notNull(),
  prunedMac: text("pruned_mac").notNull(),
});
