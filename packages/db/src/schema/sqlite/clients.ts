import type { ClientBlockKind, ClientOptions, ClientOrigin, ClientType, Environment, GrantType, Hash } from "@gatehouse/auth";
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** A product of the team; users see its name on the consent page. It has at most one client per environment. */
export const applications = sqliteTable(
  "applications",
  {
    id: text().primaryKey(),
    name: text().notNull(),
    description: text().notNull().default(""),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [uniqueIndex("applications_name").on(table.name), index("applications_created_at").on(table.createdAt, table.id)],
);

/** An application in one environment, with its own id, secrets, redirect URIs and switch. Type and environment never change. */
export const clients = sqliteTable(
  "clients",
  {
    id: text().primaryKey(),
    applicationId: text("application_id")
      .notNull()
      .references(() => applications.id, { onDelete: "cascade" }),
    environment: text().$type<Environment>().notNull(),
    type: text().$type<ClientType>().notNull(),
    redirectUris: text("redirect_uris", { mode: "json" }).$type<string[]>().notNull(),
    postLogoutRedirectUris: text("post_logout_redirect_uris", { mode: "json" }).$type<string[]>().notNull(),
    grantTypes: text("grant_types", { mode: "json" }).$type<GrantType[]>().notNull(),
    scopes: text({ mode: "json" }).$type<string[]>().notNull(),
    firstParty: integer("first_party", { mode: "boolean" }).notNull(),
    resourceServer: integer("resource_server", { mode: "boolean" }).notNull(),
    refreshRetrySeconds: integer("refresh_retry_seconds").notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    /** Settings without a column. */
    options: text("options", { mode: "json" }).$type<ClientOptions>().notNull().default({}),
    origin: text().$type<ClientOrigin>().notNull().default("registered"),
    /** Of the token that manages a dynamically registered client. RFC 7592. */
    registrationTokenHash: text("registration_token_hash").$type<Hash>(),
    /** When a user first allowed it; until then a dynamic client is in quarantine. */
    confirmedAt: integer("confirmed_at"),
    /** When it last got a token, to the hour; idle dynamic clients are deleted. */
    lastUsedAt: integer("last_used_at"),
    /** What it can be blocked by besides its id: the host of its metadata document, and its software id. */
    documentHost: text("document_host"),
    softwareId: text("software_id"),
    /** While set, the client cannot authenticate and its tokens are dead. Set on a client that no admin registered exactly while it is blocked. */
    disabledAt: integer("disabled_at"),
  },
  (table) => [
    uniqueIndex("clients_application_environment").on(table.applicationId, table.environment),
    // The next three serve the quota and the sweeper, for clients that no admin registered.
    index("clients_unconfirmed")
      .on(table.origin, table.createdAt, table.id)
      .where(sql`${table.origin} <> 'registered' and ${table.confirmedAt} is null`),
    index("clients_never_used")
      .on(table.origin, table.confirmedAt, table.id)
      .where(sql`${table.origin} <> 'registered' and ${table.lastUsedAt} is null`),
    index("clients_last_used").on(table.origin, table.lastUsedAt, table.id).where(sql`${table.origin} <> 'registered'`),
  ],
);

/** A generated client secret. Live means not revoked and not past `expires_at`; a client has at most two live ones. */
export const clientSecrets = sqliteTable(
  "client_secrets",
  {
    id: text().primaryKey(),
    clientId: text("client_id")
      .notNull()
      .references(() => clients.id, { onDelete: "cascade" }),
    hash: text().$type<Hash>().notNull(),
    /** The last four characters, to tell two secrets apart. */
    hint: text().notNull(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at"),
    lastUsedAt: integer("last_used_at"),
    revokedAt: integer("revoked_at"),
  },
  (table) => [index("client_secrets_client_id").on(table.clientId)],
);

/**
 * A block of clients that no admin registered: one client, a document host with its subdomains, or a software id. In force until lifted or
 * past `expires_at`. It outlives the clients that it applies to: the sweeper never deletes a block in force.
 */
export const clientBlocks = sqliteTable(
  "client_blocks",
  {
    kind: text().$type<ClientBlockKind>().notNull(),
    value: text().notNull(),
    reason: text().notNull(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at"),
  },
  (table) => [primaryKey({ columns: [table.kind, table.value] })],
);

/** A token that allows registering clients. RFC 7591 §3. Live means not expired, and `remaining` null or above zero. */
export const initialAccessTokens = sqliteTable("initial_access_tokens", {
  hash: text().$type<Hash>().primaryKey(),
  name: text().notNull(),
  remaining: integer(),
  expiresAt: integer("expires_at"),
  createdAt: integer("created_at").notNull(),
});
