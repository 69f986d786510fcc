import { users } from "@gatehouse/db/schema/sqlite/users";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

// The product's tables. postgres.ts has the same ones, and a test keeps the two equal. Prefix each name with
// `product_`: Gatehouse never uses it.

/** A user's notes, deleted with the user. */
export const notes = sqliteTable(
  "product_notes",
  {
    id: text().primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    text: text().notNull(),
    /** Unix seconds. */
    createdAt: integer("created_at").notNull(),
  },
  (table) => [index("product_notes_user").on(table.userId, table.createdAt, table.id)],
);

/**
 * The last known state of each Stripe subscription, per webhook endpoint. A row is replaced only by a state that is not
 * older (`version`), so events can arrive in any order. Rows stay after the subscription has ended.
 */
export const subscriptions = sqliteTable(
  "product_subscriptions",
  {
    endpoint: text().notNull(),
    id: text().notNull(),
    environment: text().notNull(),
    /** `metadata.user_id` of the subscription: whose it is. Null if the checkout did not set it. */
    userId: text("user_id"),
    customerId: text("customer_id").notNull(),
    status: text().notNull(),
    plan: text().notNull(),
    /** Unix seconds, as are all times here. */
    periodEndAt: integer("period_end_at"),
    cancelAtPeriodEnd: integer("cancel_at_period_end", { mode: "boolean" }).notNull(),
    lastEventId: text("last_event_id").notNull(),
    lastEventType: text("last_event_type").notNull(),
    lastEventAt: integer("last_event_at").notNull(),
    /** Sorts as text: twelve digits of seconds first. */
    version: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.endpoint, table.id] }),
    index("product_subscriptions_newest").on(table.lastEventAt, table.id),
    index("product_subscriptions_user").on(table.userId, table.lastEventAt, table.id),
  ],
);

/** How many invoices of a subscription were paid. Counted once per event. */
export const subscriptionPayments = sqliteTable(
  "product_subscription_payments",
  {
    endpoint: text().notNull(),
    subscriptionId: text("subscription_id").notNull(),
    count: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.endpoint, table.subscriptionId] })],
);
