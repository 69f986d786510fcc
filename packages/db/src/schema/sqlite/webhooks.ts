import type { Hash } from "@gatehouse/auth";
import type { DeliveryOutcome, DeliveryReason, OverflowReason } from "@gatehouse/webhooks";
import { sql } from "drizzle-orm";
import { blob, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** Whether a provider is enabled. Only configured providers have a row; the list of providers is code. */
export const webhookProviders = sqliteTable("webhook_providers", {
  provider: text().primaryKey(),
  createdAt: integer("created_at").notNull(),
  disabledAt: integer("disabled_at"),
});

/**
 * A provider's signing secret, sealed because verifying needs it. Active means not removed and not past `expires_at`.
 * An ended row stays until swept, so that deliveries can still show which secret matched.
 */
export const webhookSecrets = sqliteTable(
  "webhook_secrets",
  {
    id: text().primaryKey(),
    provider: text()
      .notNull()
      .references(() => webhookProviders.provider, { onDelete: "cascade" }),
    sealed: text().notNull(),
    /** SHA-256 of the secret, so that applying it twice adds nothing. */
    hash: text().$type<Hash>().notNull(),
    /** The last four characters, to tell two secrets apart. */
    hint: text().notNull(),
    name: text(),
    createdAt: integer("created_at").notNull(),
    /** The end that an admin set. */
    expiresAt: integer("expires_at"),
    /** When an applied file stopped listing it; listing it again undoes that. */
    removedAt: integer("removed_at"),
    /** When a delivery was last accepted with it, to the minute. */
    lastMatchedAt: integer("last_matched_at"),
  },
  (table) => [uniqueIndex("webhook_secrets_provider_hash").on(table.provider, table.hash)],
);

/** Every HTTP request to the receiver, including rejected ones. Written once, never changed. */
export const webhookDeliveries = sqliteTable(
  "webhook_deliveries",
  {
    id: text().primaryKey(),
    provider: text().notNull(),
    receivedAt: integer("received_at").notNull(),
    method: text().notNull(),
    outcome: text().$type<DeliveryOutcome>().notNull(),
    reason: text().$type<DeliveryReason>().notNull(),
    status: integer().notNull(),
    eventType: text("event_type"),
    eventId: text("event_id"),
    secretId: text("secret_id"),
    skewSeconds: integer("skew_seconds"),
    headers: text({ mode: "json" }).$type<Record<string, string>>().notNull(),
    body: blob({ mode: "buffer" }).notNull(),
    bodyBytes: integer("body_bytes"),
    ackMs: integer("ack_ms").notNull(),
    address: text(),
  },
  (table) => [
    index("webhook_deliveries_received_at").on(table.receivedAt, table.id),
    index("webhook_deliveries_provider").on(table.provider, table.receivedAt, table.id),
    // Partial, so that a delivery is in few indexes: nearly all are accepted.
    index("webhook_deliveries_outcome").on(table.outcome, table.receivedAt, table.id).where(sql`${table.outcome} <> 'accepted'`),
    index("webhook_deliveries_event_id").on(table.eventId, table.receivedAt, table.id).where(sql`${table.eventId} is not null`),
  ],
);

/** One event of a provider, however often it was delivered. The unique key makes a retry a duplicate; never swept. */
export const webhookEvents = sqliteTable(
  "webhook_events",
  {
    id: text().primaryKey(),
    provider: text().notNull(),
    dedupeKey: text("dedupe_key").notNull(),
    eventType: text("event_type"),
    /** The delivery that brought it first. */
    deliveryId: text("delivery_id").notNull(),
    receivedAt: integer("received_at").notNull(),
  },
  (table) => [uniqueIndex("webhook_events_key").on(table.provider, table.dedupeKey)],
);

/** Number of requests without a row of their own, per provider, reason and minute. */
export const webhookOverflow = sqliteTable(
  "webhook_overflow",
  {
    provider: text().notNull(),
    reason: text().$type<OverflowReason>().notNull(),
    minuteAt: integer("minute_at").notNull(),
    count: integer().notNull().default(sql`0`),
  },
  (table) => [primaryKey({ columns: [table.provider, table.reason, table.minuteAt] })],
);
