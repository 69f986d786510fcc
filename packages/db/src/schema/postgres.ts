import type {
  ApiResource,
  ClientBlockKind,
  ClientOptions,
  ClientOrigin,
  ClientType,
  Environment,
  GrantType,
  Hash,
  OAuthErrorCode,
  PublicJwk,
  RefusalCause,
  RefusalDetail,
  Registrar,
  Role,
  SigningAlgorithm,
  TokenContext,
} from "@gatehouse/auth";
import type { DeliveryOutcome, DeliveryReason, OverflowReason } from "@gatehouse/webhooks";
import { sql } from "drizzle-orm";
import { bigint, boolean, customType, index, integer, json, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";

// The same tables as schema/sqlite.ts, where their comments are; schema.test.ts holds the two equal.
// `json`, not `jsonb`: it gives back the very text that was stored, with its order of keys, and takes \u0000.

const bytea = customType<{ data: Buffer }>({ dataType: () => "bytea" });

export const users = pgTable(
  "users",
  {
    id: text().primaryKey(),
    email: text().notNull(),
    name: text().notNull(),
    passwordHash: text("password_hash").notNull(),
    role: text().$type<Role>().notNull(),
    createdAt: bigint("created_at", { mode: "number" }).notNull(),
    disabledAt: bigint("disabled_at", { mode: "number" }),
    registeredBy: text("registered_by").$type<Registrar>(),
    emailVerifiedAt: bigint("email_verified_at", { mode: "number" }),
    accessEpoch: bigint("access_epoch", { mode: "number" }).notNull().default(0),
  },
  (table) => [
    uniqueIndex("users_email").on(table.email),
    index("users_created_at").on(table.createdAt, table.id),
    // For the few who have a role in the console.
    index("users_role").on(table.role, table.createdAt, table.id).where(sql`${table.role} <> 'user'`),
  ],
);
export const sessions = pgTable(
  "sessions",
  {
    hash: text().$type<Hash>().primaryKey(),
    id: text().notNull(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    authTime: bigint("auth_time", { mode: "number" }).notNull(),
    userAgent: text("user_agent"),
    address: text(),
    createdAt: bigint("created_at", { mode: "number" }).notNull(),
    lastSeenAt: bigint("last_seen_at", { mode: "number" }).notNull(),
    expiresAt: bigint("expires_at", { mode: "number" }).notNull(),
    absoluteExpiresAt: bigint("absolute_expires_at", { mode: "number" }).notNull(),
    accessEpoch: bigint("access_epoch", { mode: "number" }).notNull().default(0),
    revokedAt: bigint("revoked_at", { mode: "number" }),
  },
  (table) => [
    uniqueIndex("sessions_id").on(table.id),
    index("sessions_user_id").on(table.userId, table.createdAt, table.id),
    index("sessions_expires_at").on(table.expiresAt),
  ],
);
export const applications = pgTable(
  "applications",
  {
    id: text().primaryKey(),
    name: text().notNull(),
    description: text().notNull().default(""),
    createdAt: bigint("created_at", { mode: "number" }).notNull(),
  },
  (table) => [uniqueIndex("applications_name").on(table.name), index("applications_created_at").on(table.createdAt, table.id)],
);
export const clients = pgTable(
  "clients",
  {
    id: text().primaryKey(),
    applicationId: text("application_id")
      .notNull()
      .references(() => applications.id, { onDelete: "cascade" }),
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
    documentHost: text("document_host"),
    softwareId: text("software_id"),
    disabledAt: bigint("disabled_at", { mode: "number" }),
  },
  (table) => [uniqueIndex("clients_application_environment").on(table.applicationId, table.environment)],
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
  (table) => [index("client_secrets_client_id").on(table.clientId)],
);
export const grants = pgTable(
  "grants",
  {
    id: text().primaryKey(),
    clientId: text("client_id")
      .notNull()
      .references(() => clients.id, { onDelete: "cascade" }),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    scope: text().notNull(),
    createdAt: bigint("created_at", { mode: "number" }).notNull(),
    sessionId: text("session_id"),
    accessEpoch: bigint("access_epoch", { mode: "number" }).notNull().default(0),
    revokedAt: bigint("revoked_at", { mode: "number" }),
    revokedReason: text("revoked_reason"),
  },
  (table) => [
    index("grants_user_client").on(table.userId, table.clientId),
    index("grants_client_id").on(table.clientId),
    index("grants_session_id").on(table.sessionId),
    index("grants_created_at").on(table.createdAt),
  ],
);
export const consents = pgTable(
  "consents",
  {
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    clientId: text("client_id")
      .notNull()
      .references(() => clients.id, { onDelete: "cascade" }),
    scope: text().notNull(),
    allowedAt: bigint("allowed_at", { mode: "number" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.clientId] }), index("consents_client_id").on(table.clientId)],
);
export const authorizationCodes = pgTable(
  "authorization_codes",
  {
    hash: text().$type<Hash>().primaryKey(),
    grantId: text("grant_id")
      .notNull()
      .references(() => grants.id, { onDelete: "cascade" }),
    clientId: text("client_id").notNull(),
    userId: text("user_id").notNull(),
    redirectUri: text("redirect_uri").notNull(),
    codeChallenge: text("code_challenge").notNull(),
    scope: text().notNull(),
    /** The resources it may be traded for tokens of, space-separated; null is our own API. RFC 8707. */
    audience: text(),
    authTime: bigint("auth_time", { mode: "number" }).notNull(),
    context: json("context").$type<TokenContext>(),
    createdAt: bigint("created_at", { mode: "number" }).notNull(),
    expiresAt: bigint("expires_at", { mode: "number" }).notNull(),
    redeemedAt: bigint("redeemed_at", { mode: "number" }),
    failedAttempts: bigint("failed_attempts", { mode: "number" }).notNull().default(0),
  },
  (table) => [index("authorization_codes_grant_id").on(table.grantId), index("authorization_codes_expires_at").on(table.expiresAt)],
);
export const accessTokens = pgTable(
  "access_tokens",
  {
    hash: text().$type<Hash>().primaryKey(),
    id: text().notNull(),
    grantId: text("grant_id").references(() => grants.id, { onDelete: "cascade" }),
    clientId: text("client_id")
      .notNull()
      .references(() => clients.id, { onDelete: "cascade" }),
    userId: text("user_id"),
    scope: text().notNull(),
    audience: text().notNull(),
    context: json("context").$type<TokenContext>(),
    environment: text().$type<Environment>().notNull(),
    issuedAt: bigint("issued_at", { mode: "number" }).notNull(),
    expiresAt: bigint("expires_at", { mode: "number" }).notNull(),
    revokedAt: bigint("revoked_at", { mode: "number" }),
  },
  (table) => [
    index("access_tokens_grant_id").on(table.grantId),
    index("access_tokens_client_id").on(table.clientId),
    index("access_tokens_expires_at").on(table.expiresAt),
  ],
);
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
  (table) => [index("refresh_tokens_grant_id").on(table.grantId), index("refresh_tokens_absolute_expires_at").on(table.absoluteExpiresAt)],
);
export const deviceCodes = pgTable(
  "device_codes",
  {
    hash: text().$type<Hash>().primaryKey(),
    userCode: text("user_code").notNull(),
    clientId: text("client_id")
      .notNull()
      .references(() => clients.id, { onDelete: "cascade" }),
    scope: text().notNull(),
    /** As in an authorization code. */
    audience: text(),
    requestedFrom: text("requested_from"),
    intervalSeconds: bigint("interval_seconds", { mode: "number" }).notNull(),
    lastPolledAt: bigint("last_polled_at", { mode: "number" }),
    createdAt: bigint("created_at", { mode: "number" }).notNull(),
    expiresAt: bigint("expires_at", { mode: "number" }).notNull(),
    approvedAt: bigint("approved_at", { mode: "number" }),
    deniedAt: bigint("denied_at", { mode: "number" }),
    redeemedAt: bigint("redeemed_at", { mode: "number" }),
    userId: text("user_id"),
    grantId: text("grant_id"),
    /** How and when the user who allowed it signed in. */
    context: json("context").$type<TokenContext>(),
  },
  (table) => [
    uniqueIndex("device_codes_user_code").on(table.userCode),
    index("device_codes_client_id").on(table.clientId),
    index("device_codes_expires_at").on(table.expiresAt),
  ],
);
export const refusals = pgTable(
  "refusals",
  {
    errorId: text("error_id").primaryKey(),
    at: bigint({ mode: "number" }).notNull(),
    endpoint: text().notNull(),
    error: text().$type<OAuthErrorCode>().notNull(),
    cause: text().$type<RefusalCause>().notNull(),
    message: text().notNull(),
    detail: json().$type<RefusalDetail>().notNull(),
    clientId: text("client_id"),
    address: text(),
  },
  (table) => [index("refusals_at").on(table.at, table.errorId), index("refusals_client_id").on(table.clientId, table.at)],
);
export const rateLimits = pgTable(
  "rate_limits",
  {
    key: text().primaryKey(),
    points: integer().notNull(),
    expire: bigint({ mode: "number" }),
  },
  (table) => [index("rate_limits_expire").on(table.expire)],
);
export const webhookProviders = pgTable("webhook_providers", {
  provider: text().primaryKey(),
  createdAt: bigint("created_at", { mode: "number" }).notNull(),
  disabledAt: bigint("disabled_at", { mode: "number" }),
});
export const webhookSecrets = pgTable(
  "webhook_secrets",
  {
    id: text().primaryKey(),
    provider: text()
      .notNull()
      .references(() => webhookProviders.provider, { onDelete: "cascade" }),
    sealed: text().notNull(),
    hash: text().$type<Hash>().notNull(),
    hint: text().notNull(),
    name: text(),
    createdAt: bigint("created_at", { mode: "number" }).notNull(),
    expiresAt: bigint("expires_at", { mode: "number" }),
    removedAt: bigint("removed_at", { mode: "number" }),
    lastMatchedAt: bigint("last_matched_at", { mode: "number" }),
  },
  (table) => [uniqueIndex("webhook_secrets_provider_hash").on(table.provider, table.hash)],
);
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    id: text().primaryKey(),
    provider: text().notNull(),
    receivedAt: bigint("received_at", { mode: "number" }).notNull(),
    method: text().notNull(),
    outcome: text().$type<DeliveryOutcome>().notNull(),
    reason: text().$type<DeliveryReason>().notNull(),
    status: bigint({ mode: "number" }).notNull(),
    eventType: text("event_type"),
    eventId: text("event_id"),
    secretId: text("secret_id"),
    skewSeconds: bigint("skew_seconds", { mode: "number" }),
    headers: json().$type<Record<string, string>>().notNull(),
    body: bytea().notNull(),
    bodyBytes: bigint("body_bytes", { mode: "number" }),
    ackMs: bigint("ack_ms", { mode: "number" }).notNull(),
    address: text(),
  },
  (table) => [
    index("webhook_deliveries_received_at").on(table.receivedAt, table.id),
    index("webhook_deliveries_provider").on(table.provider, table.receivedAt, table.id),
    // Partial, so that a delivery is in as few indexes as it needs: nearly all are accepted.
    index("webhook_deliveries_outcome").on(table.outcome, table.receivedAt, table.id).where(sql`${table.outcome} <> 'accepted'`),
    index("webhook_deliveries_event_id").on(table.eventId, table.receivedAt, table.id).where(sql`${table.eventId} is not null`),
  ],
);
export const webhookEvents = pgTable(
  "webhook_events",
  {
    id: text().primaryKey(),
    provider: text().notNull(),
    dedupeKey: text("dedupe_key").notNull(),
    eventType: text("event_type"),
    deliveryId: text("delivery_id").notNull(),
    receivedAt: bigint("received_at", { mode: "number" }).notNull(),
  },
  (table) => [uniqueIndex("webhook_events_key").on(table.provider, table.dedupeKey)],
);
export const webhookOverflow = pgTable(
  "webhook_overflow",
  {
    provider: text().notNull(),
    reason: text().$type<OverflowReason>().notNull(),
    minuteAt: bigint("minute_at", { mode: "number" }).notNull(),
    count: bigint({ mode: "number" }).notNull().default(sql`0`),
  },
  (table) => [primaryKey({ columns: [table.provider, table.reason, table.minuteAt] })],
);
export const installation = pgTable("installation", {
  key: text().primaryKey(),
  value: text().notNull(),
});

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

export const pushedRequests = pgTable(
  "pushed_requests",
  {
    hash: text().$type<Hash>().primaryKey(),
    clientId: text("client_id")
      .notNull()
      .references(() => clients.id, { onDelete: "cascade" }),
    parameters: text().notNull(),
    dpopJkt: text("dpop_jkt"),
    expiresAt: bigint("expires_at", { mode: "number" }).notNull(),
    usedAt: bigint("used_at", { mode: "number" }),
  },
  (table) => [index("pushed_requests_client_id").on(table.clientId), index("pushed_requests_expires_at").on(table.expiresAt)],
);

export const spentIds = pgTable(
  "spent_ids",
  {
    hash: text().$type<Hash>().primaryKey(),
    expiresAt: bigint("expires_at", { mode: "number" }).notNull(),
  },
  (table) => [index("spent_ids_expires_at").on(table.expiresAt)],
);

export const initialAccessTokens = pgTable("initial_access_tokens", {
  hash: text().$type<Hash>().primaryKey(),
  name: text().notNull(),
  remaining: integer(),
  expiresAt: bigint("expires_at", { mode: "number" }),
  createdAt: bigint("created_at", { mode: "number" }).notNull(),
});

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
export const logoutNotices = pgTable(
  "logout_notices",
  {
    id: text().primaryKey(),
    clientId: text("client_id")
      .notNull()
      .references(() => clients.id, { onDelete: "cascade" }),
    userId: text("user_id").notNull(),
    sessionId: text("session_id").notNull(),
    attempts: integer().notNull().default(0),
    nextAttemptAt: bigint("next_attempt_at", { mode: "number" }).notNull(),
    createdAt: bigint("created_at", { mode: "number" }).notNull(),
    doneAt: bigint("done_at", { mode: "number" }),
    lastError: text("last_error"),
  },
  (table) => [
    uniqueIndex("logout_notices_session_client").on(table.sessionId, table.clientId),
    index("logout_notices_due").on(table.doneAt, table.nextAttemptAt),
    index("logout_notices_client_id").on(table.clientId),
  ],
);
