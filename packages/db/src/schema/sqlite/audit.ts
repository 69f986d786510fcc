import type { Environment } from "@gatehouse/auth";
import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Who changed or revealed something. Written in the same transaction as what it records. The sealer then sets `number`,
 * `hash`, `mac` and `key_id`, once; nothing else ever changes. CO-64, CO-65.
 */
export const audit = sqliteTable(
  "audit",
  {
    /** Time-ordered: the order in which rows are listed and sealed. */
    id: text().primaryKey(),
    at: integer().notNull(),
    actorId: text("actor_id").notNull(),
    actorName: text("actor_name").notNull(),
    role: text().notNull(),
    via: text().$type<"console" | "cli" | "api" | "api_token" | "server">().notNull(),
    /** As `webhook.reveal`. */
    action: text().notNull(),
    /** The id of what it is about. */
    object: text().notNull(),
    environment: text().$type<Environment>(),
    detail: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
    address: text(),
    /** What the object was called then. */
    objectName: text("object_name"),
    /** The browser or program that sent the request. */
    userAgent: text("user_agent"),
    requestId: text("request_id"),
    /** The place in the chain, without gaps. Null until the row is sealed, about a second after its commit. */
    number: integer(),
    /** SHA-256 of the row and of the hash before it. */
    hash: text(),
    /** HMAC of `hash`, with the key that `key_id` names. */
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

/** The end of the audit chain, and where its kept part begins: one row. Changed by the sealer alone. CO-65, CO-66. */
export const auditChain = sqliteTable("audit_chain", {
  /** Always "audit". */
  id: text().primaryKey(),
  /** The last sealed row. */
  number: integer().notNull(),
  hash: text().notNull(),
  mac: text().notNull(),
  keyId: text("key_id").notNull(),
  /** The last row that was deleted because of its age; 0 if none was. */
  prunedNumber: integer("pruned_number").notNull(),
  prunedHash: text("pruned_hash").notNull(),
  /** HMAC of both, so that deleting rows needs the key. */
  prunedMac: text("pruned_mac").notNull(),
});
