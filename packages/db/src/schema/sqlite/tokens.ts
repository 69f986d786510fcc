import type { Environment, Hash, TokenContext } from "@gatehouse/auth";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { grants } from "./grants.ts";

/**
 * An access token. Live means not revoked, not expired, of its client's current epoch, and its grant, client and user all active: the read
 * compares all of that, so nothing refers to this table and it has no other index than its key. The key starts with the expiry, so the
 * sweeper deletes a range. On SQLite WITHOUT ROWID, so it is one tree.
 */
export const accessTokens = sqliteTable("access_tokens", {
  hash: text().$type<Hash>().primaryKey(),
  /** The `jti` of a JWT. Null for an opaque token: its id is part of its hash. */
  id: text(),
  /** Null for a client's own token. */
  grantId: text("grant_id"),
  clientId: text("client_id").notNull(),
  /** The client's epoch when it was issued. */
  clientEpoch: integer("client_epoch").notNull(),
  userId: text("user_id"),
  scope: text().notNull(),
  audience: text().notNull(),
  context: text("context", { mode: "json" }).$type<TokenContext>(),
  environment: text().$type<Environment>().notNull(),
  issuedAt: integer("issued_at").notNull(),
  expiresAt: integer("expires_at").notNull(),
  revokedAt: integer("revoked_at"),
});

/**
 * A refresh token, spent by its rotation. A rotated row stays until its absolute expiry, to detect reuse; `sealed_response` can be opened only
 * with the presented token and serves the retry window (CF-20).
 */
export const refreshTokens = sqliteTable(
  "refresh_tokens",
  {
    hash: text().$type<Hash>().primaryKey(),
    grantId: text("grant_id")
      .notNull()
      .references(() => grants.id, { onDelete: "cascade" }),
    clientId: text("client_id").notNull(),
    userId: text("user_id").notNull(),
    scope: text().notNull(),
    audience: text().notNull(),
    context: text("context", { mode: "json" }).$type<TokenContext>(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    absoluteExpiresAt: integer("absolute_expires_at").notNull(),
    rotatedAt: integer("rotated_at"),
    successorHash: text("successor_hash").$type<Hash>(),
    sealedResponse: text("sealed_response"),
  },
  (table) => [
    index("refresh_tokens_grant_id").on(table.grantId, table.createdAt),
    index("refresh_tokens_absolute_expires_at").on(table.absoluteExpiresAt),
  ],
);
