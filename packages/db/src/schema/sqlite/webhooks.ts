import type { Hash } from "@gatehouse/auth";
import type { DeliveryOutcome, DeliveryReason, OverflowReason } from "@gatehouse/webhooks";
import { sql } from "drizzle-orm";
import { blob, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** A provider's switch. Rows exist only for providers that were configured; which providers there are is code. */
export const webhookProviders = sqliteTable("webhook_providers", {
  provider: text().primaryKey(),
  createdAt: integer("created_at").notNull(),
  disabledAt: integer("disabled_at"),
});

/**
 * A signing secret of a provider, sealed: it must be read back to verify. Active means not removed and not past `expires_at`.
 * An ended row stays until swept, so that the delivery log can still name the secret that matched.
 */
export const webhookSecrets = sqliteTable(
  "webhook_secrets",
  {
    id: text().primaryKey(),
    provider: text()
      .notNull()
      .references(() => webhookProviders.provider, { onDelete: "cascade" }),
    sealed: text().notNull(),
    /** SHA-256 of the secret, so that applying the same one twice adds nothing. */
    hash: text().$type<Hash>().notNull(),
    /** The last four characters, to tell two secrets apart. */
    hint: text().notNull(),
    name: text(),
    createdAt: integer("created_at").notNull(),
    /** The end that an admin set. */
    expiresAt: integer("expires_at"),
    /** When an applied file stopped listing it; listing it again undoes that. */
    removedAt: integer("removed_at"),
    /** Last time a delivery was accepted under it, to the minute. */
    lastMatchedAt: integer("last_matched_at"),
  },
  (table) => [uniqueIndex("webhook_secrets_provider_hash").on(table.provider, table.hash)],
);

/** Every HTTP hit on the receiver, the refused ones too. Written once, never changed. */
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
    // Partial, so that a delivery is in as few indexes as it needs: nearly all are accepted.
    index("webhook_deliveries_outcome").on(table.outcome, table.receivedAt, table.id).where(sql`${table.outcome} <> 'accepted'`),
    index("webhook_deliveries_event_id").on(table.eventId, table.receivedAt, table.id).where(sql`${table.eventId} is not null`),
  ],
);

/** One event of a provider, however often it was delivered. The unique key is what makes a retry a duplicate; never swept. */
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

/** Hits of which no row was kept, per provider, reason and minute. */
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
