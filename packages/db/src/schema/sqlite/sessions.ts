import type { Acr, Hash, SessionUpstream, SignInMethod } from "@gatehouse/auth";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { users } from "./users.ts";

/**
 * A browser's sign-in. Live means not revoked, from its user's current epoch, and before `expires_at` (idle, extended
 * by use) and `absolute_expires_at`. Keyed by hash, since only the browser may know the secret; lists show `id`.
 */
export const sessions = sqliteTable(
  "sessions",
  {
    hash: text().$type<Hash>().primaryKey(),
    id: text().notNull(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The last proof of a first factor. AL-03. */
    authTime: integer("auth_time").notNull(),
    acr: text().$type<Acr>().notNull().default("urn:gatehouse:acr:password"),
    amr: text({ mode: "json" }).$type<string[]>().notNull().default(["pwd"]),
    method: text().$type<SignInMethod>().notNull().default("password"),
    /** The last proof of a second factor. */
    secondAt: integer("second_at"),
    /** Whether the browser keeps the cookie after it is closed. SN-02. */
    persistent: integer({ mode: "boolean" }).notNull().default(true),
    /** The provider that the user signed in with, if it has to be told of the sign-out. UP-12. */
    upstream: text({ mode: "json" }).$type<SessionUpstream>(),
    userAgent: text("user_agent"),
    address: text(),
    createdAt: integer("created_at").notNull(),
    lastSeenAt: integer("last_seen_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    absoluteExpiresAt: integer("absolute_expires_at").notNull(),
    /** The user's epoch at the sign-in. */
    accessEpoch: integer("access_epoch").notNull().default(0),
    revokedAt: integer("revoked_at"),
  },
  (table) => [
    uniqueIndex("sessions_id").on(table.id),
    index("sessions_user_id").on(table.userId, table.createdAt, table.id),
    index("sessions_expires_at").on(table.expiresAt),
  ],
);
