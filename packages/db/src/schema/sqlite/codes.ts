import type { Hash, TokenContext } from "@gatehouse/auth";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { clients } from "./clients.ts";

/**
 * An authorization code. Live means not redeemed, not expired, and fewer than five wrong verifiers, computed when
 * asked: a stored status would have to be updated by something. Redeemed rows stay until swept, to detect a replay.
 * Dead without its grant, which the read compares, so nothing refers to this table and it has no other index than its
 * key. The key starts with the time of issue, so the sweeper deletes a range.
 */
export const authorizationCodes = sqliteTable("authorization_codes", {
  hash: text().$type<Hash>().primaryKey(),
  grantId: text("grant_id").notNull(),
  clientId: text("client_id").notNull(),
  userId: text("user_id").notNull(),
  redirectUri: text("redirect_uri").notNull(),
  codeChallenge: text("code_challenge").notNull(), // S256 only, so no method column
  scope: text().notNull(),
  /** The resources that it can be exchanged for tokens of, space-separated; null for our own API. RFC 8707. */
  audience: text(),
  authTime: integer("auth_time").notNull(),
  context: text("context", { mode: "json" }).$type<TokenContext>(),
  createdAt: integer("created_at").notNull(),
  expiresAt: integer("expires_at").notNull(),
  redeemedAt: integer("redeemed_at"),
  failedAttempts: integer("failed_attempts").notNull().default(0),
});

/**
 * A device's request. Pending until approved or denied, once; redeemed once. User codes are unique while the row
 * exists. RFC 8628.
 */
export const deviceCodes = sqliteTable(
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
    intervalSeconds: integer("interval_seconds").notNull(),
    lastPolledAt: integer("last_polled_at"),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    approvedAt: integer("approved_at"),
    deniedAt: integer("denied_at"),
    redeemedAt: integer("redeemed_at"),
    userId: text("user_id"),
    grantId: text("grant_id"),
    /** How and when the approving user signed in. */
    context: text("context", { mode: "json" }).$type<TokenContext>(),
    /** The exemption that it was requested under, which is a test run; null for every other device. */
    exemptionId: text("exemption_id"),
  },
  (table) => [
    uniqueIndex("device_codes_user_code").on(table.userCode),
    index("device_codes_client_id").on(table.clientId),
    index("device_codes_expires_at").on(table.expiresAt),
  ],
);

/** A pushed authorization request. Live means not used and not expired. RFC 9126. */
export const pushedRequests = sqliteTable(
  "pushed_requests",
  {
    hash: text().$type<Hash>().primaryKey(),
    clientId: text("client_id")
      .notNull()
      .references(() => clients.id, { onDelete: "cascade" }),
    parameters: text().notNull(),
    dpopJkt: text("dpop_jkt"),
    expiresAt: integer("expires_at").notNull(),
    usedAt: integer("used_at"),
    /** The exemption that it was pushed under, which is a test run; null for every other request. */
    exemptionId: text("exemption_id"),
  },
  (table) => [
    index("pushed_requests_client_id").on(table.clientId),
    index("pushed_requests_expires_at").on(table.expiresAt),
  ],
);

/**
 * Hashes of what may be presented only once: the `jti` of a proof or assertion with its owner. A row counts until it
 * expires.
 */
export const spentIds = sqliteTable(
  "spent_ids",
  {
    hash: text().$type<Hash>().primaryKey(),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [index("spent_ids_expires_at").on(table.expiresAt)],
);
