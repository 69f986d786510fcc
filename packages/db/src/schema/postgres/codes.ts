import type { Hash, TokenContext } from "@gatehouse/auth";
import { bigint, index, json, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { clients } from "./clients.ts";

export const authorizationCodes = pgTable("authorization_codes", {
  hash: text().$type<Hash>().primaryKey(),
  grantId: text("grant_id").notNull(),
  clientId: text("client_id").notNull(),
  userId: text("user_id").notNull(),
  redirectUri: text("redirect_uri").notNull(),
  codeChallenge: text("code_challenge").notNull(),
  scope: text().notNull(),
  /** The resources it may be traded for tokens of, space-separated; null is our own API. RFC 8707. */
  audience: text(),
  authTime: bigint("auth_time", { mode: "number" }).notNull(),
  context: json("context").$type<TokenContext>(),
  createdAt: bigint("created_at", { mode: "number" }).notNull(),
  expiresAt: bigint("expires_at", { mode: "number" }).notNull(),
  redeemedAt: bigint("redeemed_at", { mode: "number" }),
  failedAttempts: bigint("failed_attempts", { mode: "number" }).notNull().default(0),
});

export const deviceCodes = pgTable(
  "device_codes",
  {
    hash: text().$type<Hash>().primaryKey(),
    userCode: text("user_code").notNull(),
    clientId: text("client_id")
      .notNull()
      .references(() => clients.id, { onDelete: "cascade" }),
    scope: text().notNull(),
    /** As in an authorization code. */
    audience: text(),
    requestedAddress: text("requested_address"),
    requestedUserAgent: text("requested_user_agent"),
    intervalSeconds: bigint("interval_seconds", { mode: "number" }).notNull(),
    lastPolledAt: bigint("last_polled_at", { mode: "number" }),
    createdAt: bigint("created_at", { mode: "number" }).notNull(),
    expiresAt: bigint("expires_at", { mode: "number" }).notNull(),
    approvedAt: bigint("approved_at", { mode: "number" }),
    deniedAt: bigint("denied_at", { mode: "number" }),
    redeemedAt: bigint("redeemed_at", { mode: "number" }),
    userId: text("user_id"),
    grantId: text("grant_id"),
    /** How and when the user who allowed it signed in. */
    context: json("context").$type<TokenContext>(),
    exemptionId: text("exemption_id"),
  },
  (table) => [
    uniqueIndex("device_codes_user_code").on(table.userCode),
    index("device_codes_client_id").on(table.clientId),
    index("device_codes_expires_at").on(table.expiresAt),
  ],
);

export const pushedRequests = pgTable(
  "pushed_requests",
  {
    hash: text().$type<Hash>().primaryKey(),
    clientId: text("client_id")
      .notNull()
      .references(() => clients.id, { onDelete: "cascade" }),
    parameters: text().notNull(),
    dpopJkt: text("dpop_jkt"),
    expiresAt: bigint("expires_at", { mode: "number" }).notNull(),
    usedAt: bigint("used_at", { mode: "number" }),
    exemptionId: text("exemption_id"),
  },
  (table) => [
    index("pushed_requests_client_id").on(table.clientId),
    index("pushed_requests_expires_at").on(table.expiresAt),
  ],
);

export const spentIds = pgTable(
  "spent_ids",
  {
    hash: text().$type<Hash>().primaryKey(),
    expiresAt: bigint("expires_at", { mode: "number" }).notNull(),
  },
  (table) => [index("spent_ids_expires_at").on(table.expiresAt)],
);
