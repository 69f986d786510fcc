import type {
  ClientBlockKind,
  ClientOptions,
  ClientOrigin,
  ClientType,
  Environment,
  GrantType,
  Hash,
} from "@gatehouse/auth";
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import {
  hasExpiry,
  isDisabledByBlock,
  isNeverUsed,
  isUnconfirmed,
  needsSecret,
  noAdminRegistered,
} from "../index-conditions.ts";
import type { PreviewFrame } from "../preview-frame.ts";
import type { RemovedRows } from "../removed-rows.ts";

/**
 * A product of the team; users see its name on the consent page. Its clients are named, such as "Web", "iOS" and "CLI".
 */
export const applications = sqliteTable(
  "applications",
  {
    id: text().primaryKey(),
    name: text().notNull(),
    description: text().notNull().default(""),
    createdAt: integer("created_at").notNull(),
    /** Raised by each change, so that an editor can tell whether somebody else saved meanwhile. CO-45. */
    version: integer().notNull().default(1),
  },
  (table) => [
    uniqueIndex("applications_name").on(table.name),
    index("applications_created_at").on(table.createdAt, table.id),
    index("applications_name_order").on(sql`lower(${table.name})`, table.id),
  ],
);

/**
 * One client of an application in one environment, with its own id, secrets, redirect URIs and switch. Type and
 * environment never change. The rows of one application with the same name are one client in several environments.
 */
export const clients = sqliteTable(
  "clients",
  {
    id: text().primaryKey(),
    applicationId: text("application_id")
      .notNull()
      .references(() => applications.id, { onDelete: "cascade" }),
    name: text().notNull().default("Main"),
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
    /** When an admin approved a client that no admin registered, as it was then: the consent page no longer warns. */
    approvedAt: integer("approved_at"),
    /** What it can be blocked by besides its id: the host of its metadata document, and its software id. */
    documentHost: text("document_host"),
    softwareId: text("software_id"),
    /**
     * While set, the client cannot authenticate and its tokens are dead. Set on a client that no admin registered
     * exactly while it is blocked.
     */
    disabledAt: integer("disabled_at"),
    /**
     * Access tokens of another epoch are dead. Starts with the time of creation, so that a client that is created again
     * under the same id has another.
     */
    accessEpoch: integer("access_epoch").notNull(),
    /**
     * Which redirect URIs its preview slots may have; null if it can have none. Never copied to another client. CO-29.
     */
    previewFrame: text("preview_frame", { mode: "json" }).$type<PreviewFrame>(),
    /** Raised by each change, so that an editor can tell whether somebody else saved meanwhile. CO-45. */
    version: integer().notNull().default(1),
  },
  (table) => [
    uniqueIndex("clients_application_name_environment").on(table.applicationId, table.name, table.environment),
    // The next three serve the quota and the sweeper, for clients that no admin registered.
    index("clients_self_registered").on(table.createdAt, table.applicationId).where(noAdminRegistered(table)),
    index("clients_unconfirmed").on(table.origin, table.createdAt, table.id).where(isUnconfirmed(table)),
    index("clients_never_used").on(table.origin, table.confirmedAt, table.id).where(isNeverUsed(table)),
    index("clients_last_used").on(table.origin, table.lastUsedAt, table.id).where(noAdminRegistered(table)),
    // For the blocks of these clients, and for the check that each client has a secret. CO-09.
    index("clients_blocked").on(table.id).where(isDisabledByBlock(table)),
    index("clients_software_id").on(table.softwareId).where(sql`${table.softwareId} is not null`),
    index("clients_needing_secret").on(table.id).where(needsSecret(table)),
  ],
);

/**
 * What a client is found by besides its id: the hosts of its redirect URIs, with their ports, and the host of its
 * metadata document. A host has a row for itself and one for what follows each dot, beginning with that dot:
 * `app.shop.example`, `.shop.example`, `.example`. So a domain finds its subdomains by equality, and a search the
 * beginning of each label by a range. A redirect host of more than 128 characters has no rows. Triggers keep them.
 * WITHOUT ROWID. CO-19.
 */
export const clientHosts = sqliteTable(
  "client_hosts",
  {
    kind: text().$type<"redirect" | "document">().notNull(),
    /** Lower case, compared by bytes. */
    host: text().notNull(),
    clientId: text("client_id")
      .notNull()
      .references(() => clients.id, { onDelete: "cascade" }),
  },
  (table) => [
    primaryKey({ columns: [table.kind, table.host, table.clientId] }),
    index("client_hosts_client_id").on(table.clientId),
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
  (table) => [
    index("client_secrets_client_id").on(table.clientId),
    index("client_secrets_hint").on(table.hint),
    index("client_secrets_ends").on(table.expiresAt, table.id).where(hasExpiry(table)),
  ],
);

/**
 * A block of clients that no admin registered: one client, a document host with its subdomains, or a software id. In
 * force until lifted or past `expires_at`. It outlives the clients that it applies to: the sweeper never deletes a
 * block in force.
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

/**
 * What was removed and can be restored, until seven days after `removed_at`. Its secrets, grants and tokens are gone.
 * CO-44.
 */
export const removedObjects = sqliteTable(
  "removed_objects",
  {
    /** The id that the application or client had. */
    id: text().primaryKey(),
    kind: text().$type<"application" | "client">().notNull(),
    name: text().notNull(),
    /** Null for an application. */
    environment: text().$type<Environment>(),
    applicationId: text("application_id").notNull(),
    applicationName: text("application_name").notNull(),
    /** The rows as they were. */
    rows: text({ mode: "json" }).$type<RemovedRows>().notNull(),
    removedAt: integer("removed_at").notNull(),
    removedBy: text("removed_by").notNull(),
  },
  (table) => [index("removed_objects_removed_at").on(table.removedAt, table.id)],
);

/**
 * The ids of removed clients. A client never gets the id of another one, since applications and logs may still contain
 * it. CO-44.
 */
export const usedClientIds = sqliteTable("used_client_ids", {
  id: text().primaryKey(),
  /** Whose client it was; only this client can have the id again, when it is restored. */
  clientName: text("client_name").notNull(),
  applicationId: text("application_id").notNull(),
  removedAt: integer("removed_at").notNull(),
});
