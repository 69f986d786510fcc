import type { Environment, Hash } from "@gatehouse/auth";
import type {
  AdapterSettings,
  AttemptOutcome,
  AttemptTrigger,
  DeliveryOutcome,
  DeliveryReason,
  DeliverySource,
  EventState,
  Forward,
  Mode,
  SecretKind,
} from "@gatehouse/webhooks";
import { sql } from "drizzle-orm";
import { bigint, check, index, json, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import { isOpen, notAccepted, outsideProduction } from "../index-conditions.ts";
import { bytea } from "./bytea.ts";

export const webhookEndpoints = pgTable(
  "webhook_endpoints",
  {
    slug: text().primaryKey(),
    provider: text().notNull(),
    environment: text().$type<Environment>().notNull(),
    name: text(),
    settings: json().$type<AdapterSettings>().notNull(),
    forward: json().$type<Forward>(),
    createdAt: bigint("created_at", { mode: "number" }).notNull(),
    disabledAt: bigint("disabled_at", { mode: "number" }),
    version: bigint({ mode: "number" }).notNull().default(1),
    lastAcceptedAt: bigint("last_accepted_at", { mode: "number" }),
    lastRefusedAt: bigint("last_refused_at", { mode: "number" }),
    lastRefusedReason: text("last_refused_reason").$type<DeliveryReason>(),
  },
  () => [check("webhook_endpoints_default_is_production", sql`slug <> provider or environment = 'production'`)],
);

export const webhookSecrets = pgTable(
  "webhook_secrets",
  {
    id: text().primaryKey(),
    endpoint: text()
      .notNull()
      .references(() => webhookEndpoints.slug, { onDelete: "cascade" }),
    kind: text().$type<SecretKind>().notNull(),
    sealed: text().notNull(),
    hash: text().$type<Hash>().notNull(),
    hint: text().notNull(),
    name: text(),
    createdAt: bigint("created_at", { mode: "number" }).notNull(),
    expiresAt: bigint("expires_at", { mode: "number" }),
    removedAt: bigint("removed_at", { mode: "number" }),
    lastMatchedAt: bigint("last_matched_at", { mode: "number" }),
  },
  (table) => [uniqueIndex("webhook_secrets_endpoint_hash").on(table.endpoint, table.hash)],
);

export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    id: text().primaryKey(),
    endpoint: text().notNull(),
    environment: text().$type<Environment>().notNull(),
    receivedAt: bigint("received_at", { mode: "number" }).notNull(),
    method: text().notNull(),
    outcome: text().$type<DeliveryOutcome>().notNull(),
    reason: text().$type<DeliveryReason>().notNull(),
    status: bigint({ mode: "number" }).notNull(),
    eventType: text("event_type"),
    eventId: text("event_id"),
    mode: text().$type<Mode>(),
    eventKey: bytea("event_key"),
    secretId: text("secret_id"),
    skewSeconds: bigint("skew_seconds", { mode: "number" }),
    headers: json().$type<Record<string, string>>().notNull(),
    body: bytea(),
    bodyBytes: bigint("body_bytes", { mode: "number" }),
    ackMs: bigint("ack_ms", { mode: "number" }).notNull(),
    address: text(),
    source: text().$type<DeliverySource>().notNull(),
  },
  (table) => [
    index("webhook_deliveries_endpoint").on(table.endpoint, table.id),
    index("webhook_deliveries_environment").on(table.environment, table.id).where(outsideProduction(table)),
    index("webhook_deliveries_outcome").on(table.outcome, table.id, table.endpoint).where(notAccepted(table)),
    index("webhook_deliveries_repeats").on(table.eventId, table.id).where(notAccepted(table)),
  ],
);

export const webhookEvents = pgTable(
  "webhook_events",
  {
    endpoint: text().notNull(),
    key: bytea().notNull(),
    deliveryId: text("delivery_id").notNull(),
    receivedAt: bigint("received_at", { mode: "number" }).notNull(),
    eventType: text("event_type"),
    state: text().$type<EventState>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.endpoint, table.key] }),
    index("webhook_events_state").on(table.state, table.deliveryId).where(isOpen(table)),
  ],
);

export const webhookAttempts = pgTable(
  "webhook_attempts",
  {
    id: text().primaryKey(),
    deliveryId: text("delivery_id").notNull(),
    endpoint: text().notNull(),
    eventKey: bytea("event_key").notNull(),
    handler: text().notNull(),
    trigger: text().$type<AttemptTrigger>().notNull(),
    startedAt: bigint("started_at", { mode: "number" }).notNull(),
    ms: bigint({ mode: "number" }).notNull(),
    outcome: text().$type<AttemptOutcome>().notNull(),
    status: bigint({ mode: "number" }),
    error: text(),
    stack: text(),
    actor: text(),
  },
  (table) => [index("webhook_attempts_delivery").on(table.deliveryId, table.id)],
);

export const webhookEffects = pgTable(
  "webhook_effects",
  {
    endpoint: text().notNull(),
    eventKey: bytea("event_key").notNull(),
    handler: text().notNull(),
    name: text().notNull(),
    createdAt: bigint("created_at", { mode: "number" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.endpoint, table.eventKey, table.handler, table.name] })],
);
