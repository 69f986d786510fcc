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
import { blob, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

// The comments here are the specification of the tables; schema/postgres.ts has the same tables, held equal by schema.test.ts.
// Times are Unix seconds in columns named …_at; secrets are kept as SHA-256 (Hash) or sealed, never in clear.

/** People who can sign in. `email` is stored lower-case. Disabling a user ends sessions, codes and tokens for good. */
export const users = sqliteTable(
  "users",
  {
    id: text().primaryKey(),
    email: text().notNull(),
    name: text().notNull(),
    /** argon2id, encoded form. */
    passwordHash: text("password_hash").notNull(),
    role: text().$type<Role>().notNull(),
    createdAt: integer("created_at").notNull(),
    disabledAt: integer("disabled_at"),
    /** Who made the account: `self` at the sign-up page, or an `operator` (console, command line, file, first start); null for accounts from before this was recorded. */
    registeredBy: text("registered_by").$type<Registrar>(),
    /** When the person proved that the address is theirs. */
    emailVerifiedAt: integer("email_verified_at"),
    /** Raising it ends every session and grant of the user in one statement: those from an earlier epoch are dead. */
    accessEpoch: integer("access_epoch").notNull().default(0),
  },
  (table) => [
    uniqueIndex("users_email").on(table.email),
    index("users_created_at").on(table.createdAt, table.id),
    // For the few who have a role in the console.
    index("users_role").on(table.role, table.createdAt, table.id).where(sql`${table.role} <> 'user'`),
  ],
);

/**
 * A browser's sign-in. Live means not revoked, from its user's current epoch, not past `expires_at` (idle, slides) and not past
 * `absolute_expires_at`.
 * Keyed by hash, since only the browser's cookie may know the session; `id` is what lists show.
 */
export const sessions = sqliteTable(
  "sessions",
  {
    hash: text().$type<Hash>().primaryKey(),
    id: text().notNull(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    authTime: integer("auth_time").notNull(),
    userAgent: text("user_agent"),
    address: text(),
    createdAt: integer("created_at").notNull(),
    lastSeenAt: integer("last_seen_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    absoluteExpiresAt: integer("absolute_expires_at").notNull(),
    /** The user's epoch at the sign-in. */
    accessEpoch: integer("access_epoch").notNull().default(0),
    revokedAt: integer("revoked_at"),
  },
  (table) => [
    uniqueIndex("sessions_id").on(table.id),
    index("sessions_user_id").on(table.userId, table.createdAt, table.id),
    index("sessions_expires_at").on(table.expiresAt),
  ],
);

/** A product of the team: the name users see on the consent page. It has at most one client per environment. */
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
    /** What is set beyond the columns. */
    options: text("options", { mode: "json" }).$type<ClientOptions>().notNull().default({}),
    origin: text().$type<ClientOrigin>().notNull().default("registered"),
    /** Of a dynamically registered client: allows managing it. RFC 7592. */
    registrationTokenHash: text("registration_token_hash").$type<Hash>(),
    /** First time a user allowed it; until then a dynamic client is in quarantine. */
    confirmedAt: integer("confirmed_at"),
    /** Last time it got a token, to the hour; lets idle dynamic clients expire. */
    lastUsedAt: integer("last_used_at"),
    /** What it can be blocked by, beside its id: the host of its metadata document, and what it calls its software. */
    documentHost: text("document_host"),
    softwareId: text("software_id"),
    /** Off: authenticates nowhere and its tokens are dead while it lasts. For a client that no admin registered: exactly while it is blocked. */
    disabledAt: integer("disabled_at"),
  },
  (table) => [uniqueIndex("clients_application_environment").on(table.applicationId, table.environment)],
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
 * What one user allowed one client, once. Codes and tokens hang on it and are dead as soon as `revoked_at` is set
 * or its user's epoch has changed, including those still being written. Swept when nothing that hangs on it can be live any more.
 */
export const grants = sqliteTable(
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
    createdAt: integer("created_at").notNull(),
    /** Public id of the session it was allowed in. */
    sessionId: text("session_id"),
    /** The user's epoch when it was allowed. */
    accessEpoch: integer("access_epoch").notNull().default(0),
    revokedAt: integer("revoked_at"),
    revokedReason: text("revoked_reason"),
  },
  (table) => [
    index("grants_user_client").on(table.userId, table.clientId),
    index("grants_client_id").on(table.clientId),
    index("grants_session_id").on(table.sessionId),
    index("grants_created_at").on(table.createdAt),
  ],
);

/** What a user has allowed a client so far, merged. Lets a repeat skip the question where AZ-32 permits it. */
export const consents = sqliteTable(
  "consents",
  {
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    clientId: text("client_id")
      .notNull()
      .references(() => clients.id, { onDelete: "cascade" }),
    scope: text().notNull(),
    allowedAt: integer("allowed_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.clientId] }), index("consents_client_id").on(table.clientId)],
);

/**
 * Live means not redeemed, not expired, fewer than five wrong verifiers. All worked out when asked:
 * a stored status would need something to wake up and change it. Redeemed rows stay until swept, to recognise a replay.
 */
export const authorizationCodes = sqliteTable(
  "authorization_codes",
  {
    hash: text().$type<Hash>().primaryKey(),
    grantId: text("grant_id")
      .notNull()
      .references(() => grants.id, { onDelete: "cascade" }),
    clientId: text("client_id").notNull(),
    userId: text("user_id").notNull(),
    redirectUri: text("redirect_uri").notNull(),
    codeChallenge: text("code_challenge").notNull(), // S256 only, so no method column
    scope: text().notNull(),
    /** The resources it may be traded for tokens of, space-separated; null is our own API. RFC 8707. */
    audience: text(),
    authTime: integer("auth_time").notNull(),
    context: text("context", { mode: "json" }).$type<TokenContext>(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    redeemedAt: integer("redeemed_at"),
    failedAttempts: integer("failed_attempts").notNull().default(0),
  },
  (table) => [index("authorization_codes_grant_id").on(table.grantId), index("authorization_codes_expires_at").on(table.expiresAt)],
);

/** An opaque access token. Live means not revoked, not expired, and its grant, client and user all in good standing. */
export const accessTokens = sqliteTable(
  "access_tokens",
  {
    hash: text().$type<Hash>().primaryKey(),
    id: text().notNull(),
    /** null for a client's own token. */
    grantId: text("grant_id").references(() => grants.id, { onDelete: "cascade" }),
    clientId: text("client_id")
      .notNull()
      .references(() => clients.id, { onDelete: "cascade" }),
    userId: text("user_id"),
    scope: text().notNull(),
    audience: text().notNull(),
    context: text("context", { mode: "json" }).$type<TokenContext>(),
    environment: text().$type<Environment>().notNull(),
    issuedAt: integer("issued_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    revokedAt: integer("revoked_at"),
  },
  (table) => [
    index("access_tokens_grant_id").on(table.grantId),
    index("access_tokens_client_id").on(table.clientId),
    index("access_tokens_expires_at").on(table.expiresAt),
  ],
);

/**
 * A refresh token, spent by its rotation. A rotated row stays until its absolute expiry, to recognise reuse;
 * `sealed_response` opens only with the presented token and serves the retry window (CF-20).
 */
export const refreshTokens = sqliteTable(
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
    context: text("context", { mode: "json" }).$type<TokenContext>(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    absoluteExpiresAt: integer("absolute_expires_at").notNull(),
    rotatedAt: integer("rotated_at"),
    successorHash: text("successor_hash").$type<Hash>(),
    sealedResponse: text("sealed_response"),
  },
  (table) => [index("refresh_tokens_grant_id").on(table.grantId), index("refresh_tokens_absolute_expires_at").on(table.absoluteExpiresAt)],
);

/** A device's request. Undecided until approved or denied, once; redeemed once. User codes are unique while the row exists. RFC 8628. */
export const deviceCodes = sqliteTable(
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
    intervalSeconds: integer("interval_seconds").notNull(),
    lastPolledAt: integer("last_polled_at"),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    approvedAt: integer("approved_at"),
    deniedAt: integer("denied_at"),
    redeemedAt: integer("redeemed_at"),
    userId: text("user_id"),
    grantId: text("grant_id"),
    /** How and when the user who allowed it signed in. */
    context: text("context", { mode: "json" }).$type<TokenContext>(),
  },
  (table) => [
    uniqueIndex("device_codes_user_code").on(table.userCode),
    index("device_codes_client_id").on(table.clientId),
    index("device_codes_expires_at").on(table.expiresAt),
  ],
);

/** The failure ledger: why requests were really refused. Bounded: the sweeper keeps the newest ten thousand. */
export const refusals = sqliteTable(
  "refusals",
  {
    errorId: text("error_id").primaryKey(),
    at: integer().notNull(),
    endpoint: text().notNull(),
    error: text().$type<OAuthErrorCode>().notNull(),
    cause: text().$type<RefusalCause>().notNull(),
    message: text().notNull(),
    detail: text({ mode: "json" }).$type<RefusalDetail>().notNull(),
    /** As sent: may name no client of ours. */
    clientId: text("client_id"),
    address: text(),
  },
  (table) => [index("refusals_at").on(table.at, table.errorId), index("refusals_client_id").on(table.clientId, table.at)],
);

/** Failures counted against a key (an account, an address). The layout is rate-limiter-flexible's. */
export const rateLimits = sqliteTable(
  "rate_limits",
  {
    key: text().primaryKey(),
    points: integer().notNull(),
    /** Unix milliseconds, as the library writes it. */
    expire: integer(),
  },
  (table) => [index("rate_limits_expire").on(table.expire)],
);

/** A provider's switch. Rows exist only for providers that were configured; which providers there are is code. */
export const webhookProviders = sqliteTable("webhook_providers", {
  provider: text().primaryKey(),
  createdAt: integer("created_at").notNull(),
  disabledAt: integer("disabled_at"),
});

/**
 * A signing secret of a provider, sealed: it must be read back to verify. Active means not removed and not past `expires_at`.
 * An ended row stays until swept, so that the delivery log can still name the secret that matched.
 */
export const webhookSecrets = sqliteTable(
  "webhook_secrets",
  {
    id: text().primaryKey(),
    provider: text()
      .notNull()
      .references(() => webhookProviders.provider, { onDelete: "cascade" }),
    sealed: text().notNull(),
    /** SHA-256 of the secret, so that applying the same one twice adds nothing. */
    hash: text().$type<Hash>().notNull(),
    /** The last four characters, to tell two secrets apart. */
    hint: text().notNull(),
    name: text(),
    createdAt: integer("created_at").notNull(),
    /** The end that an admin set. */
    expiresAt: integer("expires_at"),
    /** When an applied file stopped listing it; listing it again undoes that. */
    removedAt: integer("removed_at"),
    /** Last time a delivery was accepted under it, to the minute. */
    lastMatchedAt: integer("last_matched_at"),
  },
  (table) => [uniqueIndex("webhook_secrets_provider_hash").on(table.provider, table.hash)],
);

/** Every HTTP hit on the receiver, the refused ones too. Written once, never changed. */
export const webhookDeliveries = sqliteTable(
  "webhook_deliveries",
  {
    id: text().primaryKey(),
    provider: text().notNull(),
    receivedAt: integer("received_at").notNull(),
    method: text().notNull(),
    outcome: text().$type<DeliveryOutcome>().notNull(),
    reason: text().$type<DeliveryReason>().notNull(),
    status: integer().notNull(),
    eventType: text("event_type"),
    eventId: text("event_id"),
    secretId: text("secret_id"),
    skewSeconds: integer("skew_seconds"),
    headers: text({ mode: "json" }).$type<Record<string, string>>().notNull(),
    body: blob({ mode: "buffer" }).notNull(),
    bodyBytes: integer("body_bytes"),
    ackMs: integer("ack_ms").notNull(),
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

/** One event of a provider, however often it was delivered. The unique key is what makes a retry a duplicate; never swept. */
export const webhookEvents = sqliteTable(
  "webhook_events",
  {
    id: text().primaryKey(),
    provider: text().notNull(),
    dedupeKey: text("dedupe_key").notNull(),
    eventType: text("event_type"),
    /** The delivery that brought it first. */
    deliveryId: text("delivery_id").notNull(),
    receivedAt: integer("received_at").notNull(),
  },
  (table) => [uniqueIndex("webhook_events_key").on(table.provider, table.dedupeKey)],
);

/** Hits of which no row was kept, per provider, reason and minute. */
export const webhookOverflow = sqliteTable(
  "webhook_overflow",
  {
    provider: text().notNull(),
    reason: text().$type<OverflowReason>().notNull(),
    minuteAt: integer("minute_at").notNull(),
    count: integer().notNull().default(sql`0`),
  },
  (table) => [primaryKey({ columns: [table.provider, table.reason, table.minuteAt] })],
);

/** Small facts about the installation itself, e.g. when it was first set up. */
export const installation = sqliteTable("installation", {
  key: text().primaryKey(),
  value: text().notNull(),
});

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

/** A pushed authorization request. Live means not used and not expired. RFC 9126. */
export const pushedRequests = sqliteTable(
  "pushed_requests",
  {
    hash: text().$type<Hash>().primaryKey(),
    clientId: text("client_id")
      .notNull()
      .references(() => clients.id, { onDelete: "cascade" }),
    parameters: text().notNull(),
    dpopJkt: text("dpop_jkt"),
    expiresAt: integer("expires_at").notNull(),
    usedAt: integer("used_at"),
  },
  (table) => [index("pushed_requests_client_id").on(table.clientId), index("pushed_requests_expires_at").on(table.expiresAt)],
);

/** What may be presented once (the `jti` of a proof or assertion, with its owner), by hash. A row is honoured until it expires. */
export const spentIds = sqliteTable(
  "spent_ids",
  {
    hash: text().$type<Hash>().primaryKey(),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [index("spent_ids_expires_at").on(table.expiresAt)],
);

/** Allows registering clients. RFC 7591 §3. Live means not expired and `remaining` null or above zero. */
export const initialAccessTokens = sqliteTable("initial_access_tokens", {
  hash: text().$type<Hash>().primaryKey(),
  name: text().notNull(),
  remaining: integer(),
  expiresAt: integer("expires_at"),
  createdAt: integer("created_at").notNull(),
});

/**
 * What an admin blocked of the clients that no admin registered: one client, a document host and all below it, or a software id.
 * In force until lifted or past `expires_at`. Outlives the clients it applies to: the sweeper never deletes a block in force.
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

/** A client that is to be told that a session ended. Due while `done_at` is null and `next_attempt_at` has come. */
export const logoutNotices = sqliteTable(
  "logout_notices",
  {
    id: text().primaryKey(),
    clientId: text("client_id")
      .notNull()
      .references(() => clients.id, { onDelete: "cascade" }),
    userId: text("user_id").notNull(),
    sessionId: text("session_id").notNull(),
    attempts: integer().notNull().default(0),
    nextAttemptAt: integer("next_attempt_at").notNull(),
    createdAt: integer("created_at").notNull(),
    doneAt: integer("done_at"),
    lastError: text("last_error"),
  },
  (table) => [
    uniqueIndex("logout_notices_session_client").on(table.sessionId, table.clientId),
    index("logout_notices_due").on(table.doneAt, table.nextAttemptAt),
    index("logout_notices_client_id").on(table.clientId),
  ],
);
