import type { Hash } from "@gatehouse/auth";
import { sql } from "drizzle-orm";
import { bigint, index, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { clients } from "./clients.ts";
import { users } from "./users.ts";

export const grants = pgTable(
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
    createdAt: bigint("created_at", { mode: "number" }).notNull(),
    sessionId: text("session_id"),
    sid: text(),
    accessEpoch: bigint("access_epoch", { mode: "number" }).notNull().default(0),
    revokedAt: bigint("revoked_at", { mode: "number" }),
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

export const consents = pgTable(
  "consents",
  {
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    clientId: text("client_id")
      .notNull()
      .references(() => clients.id, { onDelete: "cascade" }),
    scope: text().notNull(),
    audience: text().notNull(),
    identity: text().$type<Hash>().notNull(),
    allowedAt: bigint("allowed_at", { mode: "number" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.clientId] }), index("consents_client_id").on(table.clientId)],
);
