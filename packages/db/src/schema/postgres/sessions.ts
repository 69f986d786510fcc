import type { Acr, Hash, SessionUpstream, SignInMethod } from "@gatehouse/auth";
import { bigint, boolean, index, json, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
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
    acr: text().$type<Acr>().notNull().default("urn:gatehouse:acr:password"),
    amr: json().$type<string[]>().notNull().default(["pwd"]),
    method: text().$type<SignInMethod>().notNull().default("password"),
    secondAt: bigint("second_at", { mode: "number" }),
    persistent: boolean().notNull().default(true),
    upstream: json().$type<SessionUpstream>(),
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
