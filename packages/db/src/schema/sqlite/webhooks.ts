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
import { blob, check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { isOpen, notAccepted, outsideProduction } from "../index-conditions.ts";

/**
 * One URL, `/api/webhooks/<slug>`, of one provider in one environment. The slug that equals a provider's name is that
 * provider's default endpoint; it answers without a row too, and is always of production.
 */
export const webhookEndpoints = sqliteTable(
  "webhook_endpoints",
  {
    slug: text().primaryKey(),
    provider: text().notNull(),
    environment: text().$type<Environment>().notNull(),
    name: text(),
    /** The adapter's options. Never a secret. */
    settings: text({ mode: "json" }).$type<AdapterSettings>().notNull(),
    /** Where its accepted events are sent; null if nowhere. Its secrets, of the kind `forwarding`, end with the URL. */
    forward: text({ mode: "json" }).$type<Forward>(),
    createdAt: integer("created_at").notNull(),
    disabledAt: integer("disabled_at"),
    /** Raised by each change, so that an editor can tell whether somebody else saved meanwhile. CO-45. */
    version: integer().notNull().default(1),
    /**
     * These three are written with the statistics, so they are up to ten seconds old. Only what came by HTTP counts,
     * and no probe.
     */
    lastAcceptedAt: integer("last_accepted_at"),
    lastRefusedAt: integer("last_refused_at"),
    lastRefusedReason: text("last_refused_reason").$type<DeliveryReason>(),
  },
  () => [check("webhook_endpoints_default_is_production", sql`slug <> provider or environment = 'production'`)],
);

/**
 * A secret of an endpoint, sealed because using it needs its value. Those of the kind `forwarding` are made here. Active means not removed and not past `expires_at`.
 * An ended row stays until swept, so that deliveries can still show which secret matched.
 */
export const webhookSecrets = sqliteTable(
  "webhook_secrets",
  {
    id: text().primaryKey(),
    endpoint: text()
      .notNull()
      .references(() => webhookEndpoints.slug, { onDelete: "cascade" }),
    kind: text().$type<SecretKind>().notNull(),
    sealed: text().notNull(),
    /** SHA-256 of the secret, so that applying it twice adds nothing. */
    hash: text().$type<Hash>().notNull(),
    /** The last characters, to tell two secrets apart: see `secretHint`. */
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
  (table) => [uniqueIndex("webhook_secrets_endpoint_hash").on(table.endpoint, table.hash)],
);

/**
 * Every request to the receiver, including rejected ones. Written once; only the deletion of its body changes it. Ids
 * are time-ordered, so they are the order of the log and no index has a time. The provider is that of the endpoint.
 */
export const webhookDeliveries = sqliteTable(
  "webhook_deliveries",
  {
    id: text().primaryKey(),
    endpoint: text().notNull(),
    /**
     * That of the endpoint when it arrived. Who may see the row depends on it, so a later move of the endpoint does not
     * change it.
     */
    environment: text().$type<Environment>().notNull(),
    receivedAt: integer("received_at").notNull(),
    method: text().notNull(),
    outcome: text().$type<DeliveryOutcome>().notNull(),
    reason: text().$type<DeliveryReason>().notNull(),
    status: integer().notNull(),
    eventType: text("event_type"),
    eventId: text("event_id"),
    /** The provider's own mark of live or test; null if it has none. */
    mode: text().$type<Mode>(),
    /** The event that it brought, or the one that it duplicates; of several, the first. */
    eventKey: blob("event_key", { mode: "buffer" }),
    secretId: text("secret_id"),
    skewSeconds: integer("skew_seconds"),
    headers: text({ mode: "json" }).$type<Record<string, string>>().notNull(),
    /** Null once retention or a person deleted it. */
    body: blob({ mode: "buffer" }),
    /** As received; null if it was not read to its end. */
    bodyBytes: integer("body_bytes"),
    ackMs: integer("ack_ms").notNull(),
    address: text(),
    source: text().$type<DeliverySource>().notNull(),
  },
  (table) => [
    index("webhook_deliveries_endpoint").on(table.endpoint, table.id),
    // Partial, because nearly all deliveries are accepted and of production, and each index slows each delivery.
    index("webhook_deliveries_environment").on(table.environment, table.id).where(outsideProduction(table)),
    // With the endpoint, so that the sweeper can count by it without reading rows.
    index("webhook_deliveries_outcome").on(table.outcome, table.id, table.endpoint).where(notAccepted(table)),
    index("webhook_deliveries_repeats").on(table.eventId, table.id).where(notAccepted(table)),
  ],
);

/**
 * One event of an endpoint in one environment, however often it was delivered. The primary key makes a retry a
 * duplicate, so a row is kept for as long as the provider may send it again, and at least 90 days. On SQLite WITHOUT
 * ROWID, so it is one tree.
 */
export const webhookEvents = sqliteTable(
  "webhook_events",
  {
    endpoint: text().notNull(),
    /**
     * How its id begins, and 16 bytes of SHA-256 of its dedupe key, which has the environment unless it is production.
     * OP-38.
     */
    key: blob({ mode: "buffer" }).notNull(),
    /** The delivery that brought it first. */
    deliveryId: text("delivery_id").notNull(),
    receivedAt: integer("received_at").notNull(),
    eventType: text("event_type"),
    state: text().$type<EventState>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.endpoint, table.key] }),
    index("webhook_events_state").on(table.state, table.deliveryId).where(isOpen(table)),
  ],
);

/** One run of one handler for one event, or one attempt to forward it. Kept as long as the event's first delivery. */
export const webhookAttempts = sqliteTable(
  "webhook_attempts",
  {
    id: text().primaryKey(),
    deliveryId: text("delivery_id").notNull(),
    endpoint: text().notNull(),
    eventKey: blob("event_key", { mode: "buffer" }).notNull(),
    handler: text().notNull(),
    trigger: text().$type<AttemptTrigger>().notNull(),
    startedAt: integer("started_at").notNull(),
    ms: integer().notNull(),
    outcome: text().$type<AttemptOutcome>().notNull(),
    /** Of forwarding: the HTTP status of the product's response; null if there was none. */
    status: integer(),
    error: text(),
    stack: text(),
    /** The user who ran it again. */
    actor: text(),
  },
  (table) => [index("webhook_attempts_delivery").on(table.deliveryId, table.id)],
);

/** The mark that a handler's effect was committed, in the same transaction as the effect. Kept as long as the event. */
export const webhookEffects = sqliteTable(
  "webhook_effects",
  {
    endpoint: text().notNull(),
    eventKey: blob("event_key", { mode: "buffer" }).notNull(),
    handler: text().notNull(),
    name: text().notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.endpoint, table.eventKey, table.handler, table.name] })],
);
