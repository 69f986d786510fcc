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
import { bigint, boolean, index, integer, json, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
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

export const applications = pgTable(
  "applications",
  {
    id: text().primaryKey(),
    name: text().notNull(),
    description: text().notNull().default(""),
    createdAt: bigint("created_at", { mode: "number" }).notNull(),
    version: bigint({ mode: "number" }).notNull().default(1),
  },
  (table) => [
    uniqueIndex("applications_name").on(table.name),
    index("applications_created_at").on(table.createdAt, table.id),
    index("applications_name_order").on(sql`lower(${table.name})`, table.id),
  ],
);

export const clients = pgTable(
  "clients",
  {
    id: text().primaryKey(),
    applicationId: text("application_id")
      .notNull()
      .references(() => applications.id, { onDelete: "cascade" }),
    name: text().notNull().default("Main"),
    environment: text().$type<Environment>().notNull(),
    type: text().$type<ClientType>().notNull(),
    redirectUris: json("redirect_uris").$type<string[]>().notNull(),
    postLogoutRedirectUris: json("post_logout_redirect_uris").$type<string[]>().notNull(),
    grantTypes: json("grant_types").$type<GrantType[]>().notNull(),
    scopes: json().$type<string[]>().notNull(),
    firstParty: boolean("first_party").notNull(),
    resourceServer: boolean("resource_server").notNull(),
    refreshRetrySeconds: bigint("refresh_retry_seconds", { mode: "number" }).notNull(),
    createdAt: bigint("created_at", { mode: "number" }).notNull(),
    updatedAt: bigint("updated_at", { mode: "number" }).notNull(),
    options: json("options").$type<ClientOptions>().notNull().default({}),
    origin: text().$type<ClientOrigin>().notNull().default("registered"),
    registrationTokenHash: text("registration_token_hash").$type<Hash>(),
    confirmedAt: bigint("confirmed_at", { mode: "number" }),
    lastUsedAt: bigint("last_used_at", { mode: "number" }),
    approvedAt: bigint("approved_at", { mode: "number" }),
    documentHost: text("document_host"),
    softwareId: text("software_id"),
    disabledAt: bigint("disabled_at", { mode: "number" }),
    accessEpoch: bigint("access_epoch", { mode: "number" }).notNull(),
    previewFrame: json("preview_frame").$type<PreviewFrame>(),
    version: bigint({ mode: "number" }).notNull().default(1),
  },
  (table) => [
    uniqueIndex("clients_application_name_environment").on(table.applicationId, table.name, table.environment),
    // For the quota and the sweeper, of the clients that no admin registered.
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

export const clientHosts = pgTable(
  "client_hosts",
  {
    kind: text().$type<"redirect" | "document">().notNull(),
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

export const clientSecrets = pgTable(
  "client_secrets",
  {
    id: text().primaryKey(),
    clientId: text("client_id")
      .notNull()
      .references(() => clients.id, { onDelete: "cascade" }),
    hash: text().$type<Hash>().notNull(),
    hint: text().notNull(),
    createdAt: bigint("created_at", { mode: "number" }).notNull(),
    expiresAt: bigint("expires_at", { mode: "number" }),
    lastUsedAt: bigint("last_used_at", { mode: "number" }),
    revokedAt: bigint("revoked_at", { mode: "number" }),
  },
  (table) => [
    index("client_secrets_client_id").on(table.clientId),
    index("client_secrets_hint").on(table.hint),
    index("client_secrets_ends").on(table.expiresAt, table.id).where(hasExpiry(table)),
  ],
);

export const clientBlocks = pgTable(
  "client_blocks",
  {
    kind: text().$type<ClientBlockKind>().notNull(),
    value: text().notNull(),
    reason: text().notNull(),
    createdAt: bigint("created_at", { mode: "number" }).notNull(),
    expiresAt: bigint("expires_at", { mode: "number" }),
  },
  (table) => [primaryKey({ columns: [table.kind, table.value] })],
);

export const initialAccessTokens = pgTable("initial_access_tokens", {
  hash: text().$type<Hash>().primaryKey(),
  name: text().notNull(),
  remaining: integer(),
  expiresAt: bigint("expires_at", { mode: "number" }),
  createdAt: bigint("created_at", { mode: "number" }).notNull(),
});

export const removedObjects = pgTable(
  "removed_objects",
  {
    id: text().primaryKey(),
    kind: text().$type<"application" | "client">().notNull(),
    name: text().notNull(),
    environment: text().$type<Environment>(),
    applicationId: text("application_id").notNull(),
    applicationName: text("application_name").notNull(),
    rows: json().$type<RemovedRows>().notNull(),
    removedAt: bigint("removed_at", { mode: "number" }).notNull(),
    removedBy: text("removed_by").notNull(),
  },
  (table) => [index("removed_objects_removed_at").on(table.removedAt, table.id)],
);

export const usedClientIds = pgTable("used_client_ids", {
  id: text().primaryKey(),
  clientName: text("client_name").notNull(),
  applicationId: text("application_id").notNull(),
  removedAt: bigint("removed_at", { mode: "number" }).notNull(),
});
