import type { Hash } from "@gatehouse/auth";
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { clients } from "./clients.ts";
import { users } from "./users.ts";

/**
 * What one user allowed one client, once. Its codes and tokens are dead as soon as `revoked_at` is set or its user's
 * epoch has changed, including those still being written. Swept when none of them can be live.
 */
export const grants = sqliteTable(
  "grants",
  {
    id: text().primaryKey(),
    clientId: text("client_id")
      .notNull()
      .references(() => clients.id, { onDelete: "cascade" }),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    scope: text().notNull(),
    createdAt: integer("created_at").notNull(),
    /** Public id of the session that it belongs to: the one in which it was allowed, or the one that replaced it. */
    sessionId: text("session_id"),
    /** Public id of the session in which it was allowed: the `sid` that its client was told. */
    sid: text(),
    /** The user's epoch when it was allowed. */
    accessEpoch: integer("access_epoch").notNull().default(0),
    revokedAt: integer("revoked_at"),
    revokedReason: text("revoked_reason"),
  },
  (table) => [
    index("grants_user_client").on(table.userId, table.clientId),
    index("grants_unrevoked").on(table.userId, table.createdAt, table.id).where(sql`${table.revokedAt} is null`),
    index("grants_client_id").on(table.clientId),
    index("grants_session_id").on(table.sessionId),
    index("grants_created_at").on(table.createdAt),
  ],
);

/**
 * Everything that a user has allowed a client so far. A later request for no more can skip the consent page where AZ-32
 * permits it, as long as the client is shown as it was then.
 */
export const consents = sqliteTable(
  "consents",
  {
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    clientId: text("client_id")
      .notNull()
      .references(() => clients.id, { onDelete: "cascade" }),
    scope: text().notNull(),
    /** The ids of the APIs that the scope is for, separated by spaces. */
    audience: text().notNull(),
    /** A hash of what the user was told the client is. The row counts only while the client is still that. */
    identity: text().$type<Hash>().notNull(),
    allowedAt: integer("allowed_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.clientId] }), index("consents_client_id").on(table.clientId)],
);
