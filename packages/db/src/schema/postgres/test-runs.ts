import { bigint, index, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { clients } from "./clients.ts";
import { grants } from "./grants.ts";
import { users } from "./users.ts";

export const testRuns = pgTable(
  "test_runs",
  {
    id: text().primaryKey(),
    clientId: text("client_id")
      .notNull()
      .references(() => clients.id, { onDelete: "cascade" }),
    operatorId: text("operator_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    grantId: text("grant_id")
      .notNull()
      .references(() => grants.id, { onDelete: "cascade" }),
    createdAt: bigint("created_at", { mode: "number" }).notNull(),
    expiresAt: bigint("expires_at", { mode: "number" }).notNull(),
  },
  (table) => [
    uniqueIndex("test_runs_grant_id").on(table.grantId),
    index("test_runs_client_id").on(table.clientId),
    index("test_runs_operator_id").on(table.operatorId),
    index("test_runs_expires_at").on(table.expiresAt),
  ],
);
