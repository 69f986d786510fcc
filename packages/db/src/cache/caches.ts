/**
 * What is cached, by the name under which the database notes its changes: on SQLite a column of `cache_versions`, on
 * PostgreSQL a value in `cache_changes`. Triggers note them in the transaction that changes a cached column, whatever
 * program writes it (`migrations/handwritten/`).
 */
export const CACHES = {
  /** Access tokens, without what can end them. */
  accessTokens: "access_tokens",
  /** Clients with their secrets and the name of their application. */
  clients: "clients",
  /** What can end a grant. */
  grants: "grants",
  signInProviders: "sign_in_providers",
  /** What can end a user's credentials, and the profile that goes with a token. */
  users: "users",
  /** Webhook endpoints with their secrets. */
  webhookEndpoints: "webhook_endpoints",
} as const;

export type CacheName = keyof typeof CACHES;

/**
 * By cache, a number that differs from the last one if a cached row may have changed since. The same object while none
 * did.
 */
export type CacheVersions = Readonly<Record<CacheName, number>>;

/** Undefined while nothing can be cached. */
export type KnownVersions = CacheVersions | undefined;

/** How a process learns what changed. */
export type VersionReader = {
  /**
   * The versions now: every commit before this call counts, of any process. A promise on PostgreSQL. Throws
   * StoreUnavailable.
   */
  read(): KnownVersions | Promise<KnownVersions>;
  /**
   * The newest that can be known at once. A row that was read since {@link VersionReader.read} is current if its
   * cache's version is the same.
   */
  latest(): KnownVersions;
  /**
   * Deletes the notes of old changes, and returns how many. A process that has not asked since then empties its caches.
   * Only on PostgreSQL.
   */
  sweep?(): Promise<number>;
};
