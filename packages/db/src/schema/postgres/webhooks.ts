import type { Hash } from "@gatehouse/auth";
import type { DeliveryOutcome, DeliveryReason, OverflowReason } from "@gatehouse/webhooks";
import { sql } from "drizzle-orm";
import { bigint, index, json, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import { bytea } from "./bytea.ts";

export const webhookProviders = pgTable("webhook_providers", {
  provider: text().primaryKey(),
  createdAt: bigint("created_at", { mode: "number" }).notNull(),
  disabledAt: bigint("disabled_at", { mode: "number" }),
});

export const webhookSecrets = pgTable(
  "webhook_secrets",
  {
    id: text().primaryKey(),
    provider: text()
      .notNull()
      .references(() => webhookProviders.provider, { onDelete: "cascade" }),
    sealed: text().notNull(),
    hash: text().$type<Hash>().notNull(),
    hint: text().notNull(),
    name: text(),
    createdAt: bigint("created_at", { mode: "number" }).notNull(),
    expiresAt: bigint("expires_at", { mode: "number" }),
    removedAt: bigint("removed_at", { mode: "number" }),
    lastMatchedAt: bigint("last_matched_at", { mode: "number" }),
  },
  (table) => [uniqueIndex("webhook_secrets_provider_hash").on(table.provider, table.hash)],
);

export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    id: text().primaryKey(),
    provider: text().notNull(),
    receivedAt: bigint("received_at", { mode: "number" }).notNull(),
    method: text().notNull(),
    outcome: text().$type<DeliveryOutcome>().notNull(),
    reason: text().$type<DeliveryReason>().notNull(),
    status: bigint({ mode: "number" }).notNull(),
    eventType: text("event_type"),
    eventId: text("event_id"),
    secretId: text("secret_id"),
    skewSeconds: bigint("skew_seconds", { mode: "number" }),
    headers: json().$type<Record<string, string>>().notNull(),
    body: bytea().notNull(),
    bodyBytes: bigint("body_bytes", { mode: "number" }),
    ackMs: bigint("ack_ms", { mode: "number" }).notNull(),
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

export const webhookEvents = pgTable(
  "webhook_events",
  {
    id: text().primaryKey(),
    provider: text().notNull(),
    dedupeKey: text("dedupe_key").notNull(),
    eventType: text("event_type"),
    deliveryId: text("delivery_id").notNull(),
    receivedAt: bigint("received_at", { mode: "number" }).notNull(),
  },
  (table) => [uniqueIndex("webhook_events_key").on(table.provider, table.dedupeKey)],
);

export const webhookOverflow = pgTable(
  "webhook_overflow",
  {
    provider: text().notNull(),
    reason: text().$type<OverflowReason>().notNull(),
    minuteAt: bigint("minute_at", { mode: "number" }).notNull(),
    count: bigint({ mode: "number" }).notNull().default(sql`0`),
  },
  (table) => [primaryKey({ columns: [table.provider, table.reason, table.minuteAt] })],
);
