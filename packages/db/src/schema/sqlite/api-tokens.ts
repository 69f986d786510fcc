import type { Environment, Hash } from "@gatehouse/auth";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { clients } from "./clients.ts";
import { users } from "./users.ts";

/**
 * A token for automation, which acts for the admin who made it, within its scopes, environments and client. Live until
 * it expires or is ended, and only while its maker is an enabled admin: disabling, demoting or deleting the maker ends
 * it for good. Admins see all but the token itself. Swept 90 days after its end. CO-70.
 */
export const apiTokens = sqliteTable(
  "api_tokens",
  {
    id: text().primaryKey(),
    hash: text().$type<Hash>().notNull(),
    /** The last four characters. */
    hint: text().notNull(),
    name: text().notNull(),
    makerId: text("maker_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    scopes: text({ mode: "json" }).$type<string[]>().notNull(),
    environments: text({ mode: "json" }).$type<Environment[]>().notNull(),
    /** The only client that it can act on; null for all. */
    clientId: text("client_id").references(() => clients.id, { onDelete: "cascade" }),
    /** Where a file that it applies may register first-party clients; empty for nowhere. PK-22. */
    firstPartyOrigins: text("first_party_origins", { mode: "json" }).$type<string[]>().notNull(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    /** When somebody revoked it, or its maker lost the role. */
    endedAt: integer("ended_at"),
    /** To the minute. */
    lastUsedAt: integer("last_used_at"),
  },
  (table) => [
    uniqueIndex("api_tokens_hash").on(table.hash),
    index("api_tokens_maker_id").on(table.makerId),
    index("api_tokens_client_id").on(table.clientId),
    index("api_tokens_created_at").on(table.createdAt, table.id),
    index("api_tokens_expires_at").on(table.expiresAt),
  ],
);
