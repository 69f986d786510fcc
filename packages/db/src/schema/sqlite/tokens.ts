import type { Environment, Hash, TokenContext } from "@gatehouse/auth";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { clients } from "./clients.ts";
import { grants } from "./grants.ts";

/** An access token. Live means not revoked, not expired, and its grant, client and user all active. */
export const accessTokens = sqliteTable(
  "access_tokens",
  {
    hash: text().$type<Hash>().primaryKey(),
    id: text().notNull(),
    /** Null for a client's own token. */
    grantId: text("grant_id").references(() => grants.id, { onDelete: "cascade" }),
    clientId: text("client_id")
      .notNull()
      .references(() => clients.id, { onDelete: "cascade" }),
    userId: text("user_id"),
    scope: text().notNull(),
    audience: text().notNull(),
    context: text("context", { mode: "json" }).$type<TokenContext>(),
    environment: text().$type<Environment>().notNull(),
    issuedAt: integer("issued_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    revokedAt: integer("revoked_at"),
  },
  (table) => [
    index("access_tokens_grant_id").on(table.grantId, table.issuedAt),
    index("access_tokens_client_id").on(table.clientId),
    index("access_tokens_expires_at").on(table.expiresAt),
  ],
);

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
