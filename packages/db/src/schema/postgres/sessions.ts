import type { Hash } from "@gatehouse/auth";
import { bigint, index, integer, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { clients } from "./clients.ts";
import { users } from "./users.ts";

export const sessions = pgTable(
  "sessions",
  {
    hash: text().$type<Hash>().primaryKey(),
    id: text().notNull(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    authTime: bigint("auth_time", { mode: "number" }).notNull(),
    userAgent: text("user_agent"),
    address: text(),
    createdAt: bigint("created_at", { mode: "number" }).notNull(),
    lastSeenAt: bigint("last_seen_at", { mode: "number" }).notNull(),
    expiresAt: bigint("expires_at", { mode: "number" }).notNull(),
    absoluteExpiresAt: bigint("absolute_expires_at", { mode: "number" }).notNull(),
    accessEpoch: bigint("access_epoch", { mode: "number" }).notNull().default(0),
    revokedAt: bigint("revoked_at", { mode: "number" }),
  },
  (table) => [
    uniqueIndex("sessions_id").on(table.id),
    index("sessions_user_id").on(table.userId, table.createdAt, table.id),
    index("sessions_expires_at").on(table.expiresAt),
  ],
);

export const logoutNotices = pgTable(
  "logout_notices",
  {
    id: text().primaryKey(),
    clientId: text("client_id")
      .notNull()
      .references(() => clients.id, { onDelete: "cascade" }),
    userId: text("user_id").notNull(),
    sessionId: text("session_id").notNull(),
    attempts: integer().notNull().default(0),
    nextAttemptAt: bigint("next_attempt_at", { mode: "number" }).notNull(),
    createdAt: bigint("created_at", { mode: "number" }).notNull(),
    doneAt: bigint("done_at", { mode: "number" }),
    lastError: text("last_error"),
  },
  (table) => [
    uniqueIndex("logout_notices_session_client").on(table.sessionId, table.clientId),
    index("logout_notices_due").on(table.doneAt, table.nextAttemptAt),
    index("logout_notices_client_id").on(table.clientId),
  ],
);
