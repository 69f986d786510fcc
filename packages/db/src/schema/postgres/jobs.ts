import { sql } from "drizzle-orm";
import { bigint, index, json, pgTable, text } from "drizzle-orm/pg-core";

export const jobs = pgTable(
  "jobs",
  {
    id: text().primaryKey(),
    queue: text().notNull(),
    orderKey: text("order_key"),
    payload: json().$type<unknown>().notNull(),
    runAt: bigint("run_at", { mode: "number" }).notNull(),
    attempts: bigint({ mode: "number" }).notNull().default(sql`0`),
    leaseToken: text("lease_token"),
    lastError: text("last_error"),
    deadAt: bigint("dead_at", { mode: "number" }),
    createdAt: bigint("created_at", { mode: "number" }).notNull(),
  },
  (table) => [
    index("jobs_due").on(table.queue, table.runAt, table.id).where(sql`${table.deadAt} is null`),
    index("jobs_order").on(table.queue, table.orderKey, table.id).where(sql`${table.orderKey} is not null`),
    index("jobs_dead").on(table.deadAt, table.id).where(sql`${table.deadAt} is not null`),
  ],
);

export const leases = pgTable("leases", {
  name: text().primaryKey(),
  holder: text().notNull(),
  until: bigint({ mode: "number" }).notNull(),
});
