import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Work to do later. Claiming a job moves `run_at` past its lease, so a job whose worker died becomes due by itself. A
 * finished job is deleted; one that failed too often is kept with `dead_at` for seven days. OP-23.
 */
export const jobs = sqliteTable(
  "jobs",
  {
    id: text().primaryKey(),
    queue: text().notNull(),
    /** Of the jobs with the same key, one runs at a time, oldest first. */
    orderKey: text("order_key"),
    payload: text({ mode: "json" }).$type<unknown>().notNull(),
    runAt: integer("run_at").notNull(),
    attempts: integer().notNull().default(sql`0`),
    /** Proves that a worker still holds the job. */
    leaseToken: text("lease_token"),
    lastError: text("last_error"),
    deadAt: integer("dead_at"),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    index("jobs_due").on(table.queue, table.runAt, table.id).where(sql`${table.deadAt} is null`),
    index("jobs_order").on(table.queue, table.orderKey, table.id).where(sql`${table.orderKey} is not null`),
    index("jobs_dead").on(table.deadAt, table.id).where(sql`${table.deadAt} is not null`),
  ],
);

/** Which process does a periodic task, until when. Free once `until` has passed. OP-22. */
export const leases = sqliteTable("leases", {
  name: text().primaryKey(),
  holder: text().notNull(),
  until: integer().notNull(),
});
