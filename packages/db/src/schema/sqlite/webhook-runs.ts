import type { Role } from "@gatehouse/auth";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { webhookEndpoints } from "./webhooks.ts";

/** Which deliveries are run again: these, or those that a filter of the console's list finds. */
export type RerunSelection = { kind: "ids"; ids: string[] } | { kind: "filter"; filter: Record<string, unknown> };
export type RerunState = "queued" | "running" | "done" | "cancelled" | "failed";
/** Why one delivery was not handled. */
export type RerunProblem = { deliveryId: string; verdict: "failed" | "skipped"; message: string };

/**
 * A manual rerun of handlers, for one delivery (`manual`) or many (`bulk`). A job of the queue `rerun` runs it;
 * `cursor` says where it continues after a crash. Ends as done, cancelled or failed; deleted 30 days after its start.
 */
export const webhookReruns = sqliteTable(
  "webhook_reruns",
  {
    id: text().primaryKey(),
    trigger: text().$type<"manual" | "bulk">().notNull(),
    actorId: text("actor_id").notNull(),
    actorName: text("actor_name").notNull(),
    /** The role of the actor at the start: it says which environments are allowed. */
    role: text().$type<Role>().notNull(),
    selection: text({ mode: "json" }).$type<RerunSelection>().notNull(),
    state: text().$type<RerunState>().notNull(),
    /** The next index of `ids`, or the cursor of the next page; null at the start and at the end. */
    cursor: text(),
    /** How many deliveries there are, as far as is known. */
    total: integer().notNull(),
    totalKnown: integer("total_known", { mode: "boolean" }).notNull(),
    succeeded: integer().notNull(),
    failed: integer().notNull(),
    skipped: integer().notNull(),
    /** The first thousand. */
    problems: text({ mode: "json" }).$type<RerunProblem[]>().notNull(),
    createdAt: integer("created_at").notNull(),
    finishedAt: integer("finished_at"),
  },
  (table) => [index("webhook_reruns_created_at").on(table.createdAt)],
);

/**
 * How far an endpoint's events were compared with the provider's own list. A row exists once the endpoint has had an
 * API key; it ends with the endpoint.
 */
export const webhookReconciliations = sqliteTable(
  "webhook_reconciliations",
  {
    endpoint: text()
      .primaryKey()
      .references(() => webhookEndpoints.slug, { onDelete: "cascade" }),
    /** What the provider's file keeps between runs. */
    cursor: text(),
    /** Every event that the provider has from before this time is stored. */
    completeUpTo: integer("complete_up_to"),
    /** How many events were found missing and stored, ever. */
    recovered: integer().notNull(),
    nextRunAt: integer("next_run_at").notNull(),
    lastRunAt: integer("last_run_at"),
    /** Why the last run failed; null if it did not. */
    lastError: text("last_error"),
  },
  (table) => [index("webhook_reconciliations_next").on(table.nextRunAt)],
);
