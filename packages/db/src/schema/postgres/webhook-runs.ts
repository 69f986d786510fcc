import type { Role } from "@gatehouse/auth";
import { bigint, boolean, index, json, pgTable, text } from "drizzle-orm/pg-core";
import type { RerunProblem, RerunSelection, RerunState } from "../sqlite/webhook-runs.ts";
import { webhookEndpoints } from "./webhooks.ts";

export const webhookReruns = pgTable(
  "webhook_reruns",
  {
    id: text().primaryKey(),
    trigger: text().$type<"manual" | "bulk">().notNull(),
    actorId: text("actor_id").notNull(),
    actorName: text("actor_name").notNull(),
    role: text().$type<Role>().notNull(),
    selection: json().$type<RerunSelection>().notNull(),
    state: text().$type<RerunState>().notNull(),
    cursor: text(),
    total: bigint({ mode: "number" }).notNull(),
    totalKnown: boolean("total_known").notNull(),
    succeeded: bigint({ mode: "number" }).notNull(),
    failed: bigint({ mode: "number" }).notNull(),
    skipped: bigint({ mode: "number" }).notNull(),
    problems: json().$type<RerunProblem[]>().notNull(),
    createdAt: bigint("created_at", { mode: "number" }).notNull(),
    finishedAt: bigint("finished_at", { mode: "number" }),
  },
  (table) => [index("webhook_reruns_created_at").on(table.createdAt)],
);

export const webhookReconciliations = pgTable(
  "webhook_reconciliations",
  {
    endpoint: text()
      .primaryKey()
      .references(() => webhookEndpoints.slug, { onDelete: "cascade" }),
    cursor: text(),
    completeUpTo: bigint("complete_up_to", { mode: "number" }),
    recovered: bigint({ mode: "number" }).notNull(),
    nextRunAt: bigint("next_run_at", { mode: "number" }).notNull(),
    lastRunAt: bigint("last_run_at", { mode: "number" }),
    lastError: text("last_error"),
  },
  (table) => [index("webhook_reconciliations_next").on(table.nextRunAt)],
);
