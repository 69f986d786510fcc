import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { clients } from "./clients.ts";
import { grants } from "./grants.ts";
import { users } from "./users.ts";

/**
 * A run of a client by an operator of the console. Live until it expires or its grant is revoked, which ends every
 * token of the run. The grant is written together with the run. Swept with its grant. CO-38, CO-42.
 */
export const testRuns = sqliteTable(
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
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [
    uniqueIndex("test_runs_grant_id").on(table.grantId),
    index("test_runs_client_id").on(table.clientId),
    index("test_runs_operator_id").on(table.operatorId),
    index("test_runs_expires_at").on(table.expiresAt),
  ],
);
