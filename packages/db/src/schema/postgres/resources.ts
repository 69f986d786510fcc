import type { ApiResource, Environment, PublicJwk, SigningAlgorithm } from "@gatehouse/auth";
import { bigint, json, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";

export const apiResources = pgTable("api_resources", {
  id: text().primaryKey(),
  name: text().notNull(),
  scopes: json("scopes").$type<ApiResource["scopes"]>().notNull(),
  tokenFormat: text("token_format").$type<ApiResource["tokenFormat"]>().notNull(),
  tokenAlgorithm: text("token_algorithm").$type<SigningAlgorithm>().notNull(),
  environments: json("environments").$type<Environment[]>(),
  attachedBy: text("attached_by").$type<ApiResource["attachedBy"]>().notNull().default("admins"),
  strangers: text().$type<ApiResource["strangers"]>().notNull().default("refused"),
  createdAt: bigint("created_at", { mode: "number" }).notNull(),
  disabledAt: bigint("disabled_at", { mode: "number" }),
  version: bigint({ mode: "number" }).notNull().default(1),
});

export const signingKeys = pgTable(
  "signing_keys",
  {
    kid: text().primaryKey(),
    algorithm: text().$type<SigningAlgorithm>().notNull(),
    publicJwk: json("public_jwk").$type<PublicJwk>().notNull(),
    sealedPrivateJwk: text("sealed_private_jwk").notNull(),
    createdAt: bigint("created_at", { mode: "number" }).notNull(),
    activeFrom: bigint("active_from", { mode: "number" }).notNull(),
    retiredAt: bigint("retired_at", { mode: "number" }),
    removeAfter: bigint("remove_after", { mode: "number" }),
  },
  (table) => [uniqueIndex("signing_keys_algorithm_active_from").on(table.algorithm, table.activeFrom)],
);
