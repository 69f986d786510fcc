import { users } from "@gatehouse/db/schema/postgres/users";
import { bigint, boolean, index, pgTable, primaryKey, text } from "drizzle-orm/pg-core";

export const notes = pgTable(
  "product_notes",
  {
    id: text().primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    text: text().notNull(),
    createdAt: bigint("created_at", { mode: "number" }).notNull(),
  },
  (table) => [index("product_notes_user").on(table.userId, table.createdAt, table.id)],
);

export const subscriptions = pgTable(
  "product_subscriptions",
  {
    endpoint: text().notNull(),
    id: text().notNull(),
    environment: text().notNull(),
    userId: text("user_id"),
    customerId: text("customer_id").notNull(),
    status: text().notNull(),
    plan: text().notNull(),
    periodEndAt: bigint("period_end_at", { mode: "number" }),
    cancelAtPeriodEnd: boolean("cancel_at_period_end").notNull(),
    lastEventId: text("last_event_id").notNull(),
    lastEventType: text("last_event_type").notNull(),
    lastEventAt: bigint("last_event_at", { mode: "number" }).notNull(),
    version: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.endpoint, table.id] }),
    index("product_subscriptions_newest").on(table.lastEventAt, table.id),
    index("product_subscriptions_user").on(table.userId, table.lastEventAt, table.id),
  ],
);

export const subscriptionPayments = pgTable(
  "product_subscription_payments",
  {
    endpoint: text().notNull(),
    subscriptionId: text("subscription_id").notNull(),
    count: bigint({ mode: "number" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.endpoint, table.subscriptionId] })],
);
