import type { ApiResource, Environment, PublicJwk, SigningAlgorithm } from "@gatehouse/auth";
import { integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/**
 * An API besides our own that tokens can be requested for. RFC 8707. While disabled, it gets no tokens and its tokens
 * are inactive.
 */
export const apiResources = sqliteTable("api_resources", {
  id: text().primaryKey(),
  name: text().notNull(),
  scopes: text("scopes", { mode: "json" }).$type<ApiResource["scopes"]>().notNull(),
  tokenFormat: text("token_format").$type<ApiResource["tokenFormat"]>().notNull(),
  tokenAlgorithm: text("token_algorithm").$type<SigningAlgorithm>().notNull(),
  /** Null depends on the issuer: production, or all environments while it is http on loopback. */
  environments: text("environments", { mode: "json" }).$type<Environment[]>(),
  attachedBy: text("attached_by").$type<ApiResource["attachedBy"]>().notNull().default("admins"),
  strangers: text().$type<ApiResource["strangers"]>().notNull().default("refused"),
  createdAt: integer("created_at").notNull(),
  disabledAt: integer("disabled_at"),
  /** Raised by each change, so that an editor can tell whether somebody else saved meanwhile. CO-45. */
  version: integer().notNull().default(1),
});

/** Our signing keys. The times tell which is next, current and previous. The private part is sealed. RFC 7517. */
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
