/**
 * What is cached, by the column of `cache_versions` that counts its changes. Triggers raise a counter in the transaction that changes a cached
 * column, whatever program writes it (`migrations/handwritten/sqlite.sql`).
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

/** By cache, a number that differs from the last one if a cached row may have changed since. The same object while none did. */
export type CacheVersions = Readonly<Record<CacheName, number>>;
