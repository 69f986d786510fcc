import type { Environment, Hash } from "@gatehouse/auth";
import { bigint, index, json, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { clients } from "./clients.ts";
import { users } from "./users.ts";

export const apiTokens = pgTable(
  "api_tokens",
  {
    id: text().primaryKey(),
    hash: text().$type<Hash>().notNull(),
    hint: text().notNull(),
    name: text().notNull(),
    makerId: text("maker_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    scopes: json().$type<string[]>().notNull(),
    environments: json().$type<Environment[]>().notNull(),
    clientId: text("client_id").references(() => clients.id, { onDelete: "cascade" }),
    firstPartyOrigins: json("first_party_origins").$type<string[]>().notNull(),
    createdAt: bigint("created_at", { mode: "number" }).notNull(),
    expiresAt: bigint("expires_at", { mode: "number" }).notNull(),
    endedAt: bigint("ended_at", { mode: "number" }),
    lastUsedAt: bigint("last_used_at", { mode: "number" }),
  },
  (table) => [
    uniqueIndex("api_tokens_hash").on(table.hash),
    index("api_tokens_maker_id").on(table.makerId),
    index("api_tokens_client_id").on(table.clientId),
    index("api_tokens_created_at").on(table.createdAt, table.id),
    index("api_tokens_expires_at").on(table.expiresAt),
  ],
);
