import type { Environment, Hash, TokenContext } from "@gatehouse/auth";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * An access token. Live means not revoked, not expired, of its client's current epoch, and its grant, client and user
 * all active: the read compares all of that, so nothing refers to this table and it has no other index than its key.
 * The key starts with the expiry, so the sweeper deletes a range. On SQLite WITHOUT ROWID, so it is one tree.
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
 * All refresh tokens that came from one authorization by rotation. Each token names its family; the current one is
 * known by its hash, the one spent last too, and older ones by the MAC in the token, which makes their use reuse. A
 * rotation changes this row alone, and no index. RT-10, OP-37.
 *
 * Client and user are the grant's: without the grant the row is dead, and it says nothing about anybody. It is swept at
 * its absolute expiry. What the last rotation needs to be repeated (CF-20) is useless without the token that was
 * presented then.
 */
export const refreshFamilies = sqliteTable(
  "refresh_families",
  {
    id: text().primaryKey(),
    grantId: text("grant_id").notNull(),
    scope: text().notNull(),
    audience: text().notNull(),
    context: text("context", { mode: "json" }).$type<TokenContext>(),
    boundFrom: integer("bound_from"),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    absoluteExpiresAt: integer("absolute_expires_at").notNull(),
    generation: integer().notNull(),
    currentHash: text("current_hash").$type<Hash>().notNull(),
    previousHash: text("previous_hash").$type<Hash>(),
    rotatedAt: integer("rotated_at"),
    rotationId: text("rotation_id"),
    accessExpiresAt: integer("access_expires_at"),
    sealedResponse: text("sealed_response"),
  },
  (table) => [
    index("refresh_families_grant_id").on(table.grantId),
    index("refresh_families_absolute_expires_at").on(table.absoluteExpiresAt),
  ],
);
