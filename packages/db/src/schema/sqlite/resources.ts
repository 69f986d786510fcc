import type { ApiResource, Environment, PublicJwk, SigningAlgorithm } from "@gatehouse/auth";
import { integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** An API that tokens can be asked for, beside our own. RFC 8707. Disabled: no new tokens, and introspection calls its tokens inactive. */
export const apiResources = sqliteTable("api_resources", {
  id: text().primaryKey(),
  name: text().notNull(),
  scopes: text("scopes", { mode: "json" }).$type<ApiResource["scopes"]>().notNull(),
  tokenFormat: text("token_format").$type<ApiResource["tokenFormat"]>().notNull(),
  tokenAlgorithm: text("token_algorithm").$type<SigningAlgorithm>().notNull(),
  /** Null follows the issuer: production, or all while it is http on loopback. */
  environments: text("environments", { mode: "json" }).$type<Environment[]>(),
  attachedBy: text("attached_by").$type<ApiResource["attachedBy"]>().notNull().default("admins"),
  strangers: text().$type<ApiResource["strangers"]>().notNull().default("refused"),
  createdAt: integer("created_at").notNull(),
  disabledAt: integer("disabled_at"),
});

/** Our signing keys: next, current and previous are all worked out from the times. The private part is sealed. RFC 7517. */
export const signingKeys = sqliteTable(
  "signing_keys",
  {
    kid: text().primaryKey(),
    algorithm: text().$type<SigningAlgorithm>().notNull(),
    publicJwk: text("public_jwk", { mode: "json" }).$type<PublicJwk>().notNull(),
    sealedPrivateJwk: text("sealed_private_jwk").notNull(),
    createdAt: integer("created_at").notNull(),
    activeFrom: integer("active_from").notNull(),
    retiredAt: integer("retired_at"),
    removeAfter: integer("remove_after"),
  },
  (table) => [uniqueIndex("signing_keys_algorithm_active_from").on(table.algorithm, table.activeFrom)],
);
