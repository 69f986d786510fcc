import type { Environment, Hash, TokenContext } from "@gatehouse/auth";
import { bigint, index, json, pgTable, text } from "drizzle-orm/pg-core";
import { grants } from "./grants.ts";

export const accessTokens = pgTable("access_tokens", {
  hash: text().$type<Hash>().primaryKey(),
  id: text(),
  grantId: text("grant_id"),
  clientId: text("client_id").notNull(),
  clientEpoch: bigint("client_epoch", { mode: "number" }).notNull(),
  userId: text("user_id"),
  scope: text().notNull(),
  audience: text().notNull(),
  context: json("context").$type<TokenContext>(),
  environment: text().$type<Environment>().notNull(),
  issuedAt: bigint("issued_at", { mode: "number" }).notNull(),
  expiresAt: bigint("expires_at", { mode: "number" }).notNull(),
  revokedAt: bigint("revoked_at", { mode: "number" }),
});

export const refreshTokens = pgTable(
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
    context: json("context").$type<TokenContext>(),
    createdAt: bigint("created_at", { mode: "number" }).notNull(),
    expiresAt: bigint("expires_at", { mode: "number" }).notNull(),
    absoluteExpiresAt: bigint("absolute_expires_at", { mode: "number" }).notNull(),
    rotatedAt: bigint("rotated_at", { mode: "number" }),
    successorHash: text("successor_hash").$type<Hash>(),
    sealedResponse: text("sealed_response"),
  },
  (table) => [
    index("refresh_tokens_grant_id").on(table.grantId, table.createdAt),
    index("refresh_tokens_absolute_expires_at").on(table.absoluteExpiresAt),
  ],
);
