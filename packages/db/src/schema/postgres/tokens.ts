import type { Environment, Hash, TokenContext } from "@gatehouse/auth";
import { bigint, index, json, pgTable, text } from "drizzle-orm/pg-core";

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

export const refreshFamilies = pgTable(
  "refresh_families",
  {
    id: text().primaryKey(),
    grantId: text("grant_id").notNull(),
    scope: text().notNull(),
    audience: text().notNull(),
    context: json("context").$type<TokenContext>(),
    boundFrom: bigint("bound_from", { mode: "number" }),
    createdAt: bigint("created_at", { mode: "number" }).notNull(),
    expiresAt: bigint("expires_at", { mode: "number" }).notNull(),
    absoluteExpiresAt: bigint("absolute_expires_at", { mode: "number" }).notNull(),
    generation: bigint({ mode: "number" }).notNull(),
    currentHash: text("current_hash").$type<Hash>().notNull(),
    previousHash: text("previous_hash").$type<Hash>(),
    rotatedAt: bigint("rotated_at", { mode: "number" }),
    rotationId: text("rotation_id"),
    accessExpiresAt: bigint("access_expires_at", { mode: "number" }),
    sealedResponse: text("sealed_response"),
  },
  (table) => [
    index("refresh_families_grant_id").on(table.grantId),
    index("refresh_families_absolute_expires_at").on(table.absoluteExpiresAt),
  ],
);
