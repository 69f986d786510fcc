import type { PostgresCost, SqliteCost } from "@gatehouse/db/testing/request-costs";
import type { Costs } from "./measure.ts";

export type SqliteBudget = Omit<SqliteCost, "logBytes">;

const NOTHING: SqliteBudget = { statements: 0, pragmas: 0, commits: 0, trees: [] };

const REFRESH_FAMILY = ["refresh_families", "refresh_families_absolute_expires_at", "refresh_families_grant_id"];
const DELIVERY = [
  "sqlite_autoindex_webhook_deliveries_1",
  "webhook_deliveries",
  "webhook_deliveries_endpoint",
  "webhook_events",
];

/**
 * What one request of each hot path may ask of SQLite, with compiled statements and a cached configuration. One
 * statement reads the versions of the caches, for all requests of a turn. `trees`: the tables and indexes that its
 * commit writes; each is at least one page of 4 KiB in the log. docs/costs.md has the times.
 */
export const SQLITE_BUDGETS: Costs<SqliteBudget> = {
  "client credentials": { ...NOTHING, statements: 2, commits: 1, trees: ["access_tokens"] },
  "code exchange": {
    ...NOTHING,
    statements: 5,
    commits: 1,
    trees: ["access_tokens", "authorization_codes", ...REFRESH_FAMILY],
  },
  refresh: { ...NOTHING, statements: 4, commits: 1, trees: ["access_tokens", "refresh_families"] },
  "introspection, cached": { ...NOTHING, statements: 1 },
  "introspection, first": { ...NOTHING, statements: 2 },
  "bearer, cached": { ...NOTHING, statements: 1 },
  "bearer, first": { ...NOTHING, statements: 2 },
  "guard, 401": NOTHING,
  "webhook, stored": { ...NOTHING, statements: 3, commits: 1, trees: DELIVERY },
  metadata: NOTHING,
};

/**
 * The same for PostgreSQL: statements sent, and answers waited for one after the other. The first one of each asks what
 * changed of what is cached.
 */
export const POSTGRES_BUDGETS: Costs<PostgresCost> = {
  "client credentials": { statements: 2, roundTrips: 2 },
  "code exchange": { statements: 3, roundTrips: 3 },
  refresh: { statements: 3, roundTrips: 3 },
  "introspection, cached": { statements: 1, roundTrips: 1 },
  "introspection, first": { statements: 2, roundTrips: 2 },
  "bearer, cached": { statements: 1, roundTrips: 1 },
  "bearer, first": { statements: 2, roundTrips: 2 },
  "guard, 401": { statements: 0, roundTrips: 0 },
  "webhook, stored": { statements: 2, roundTrips: 2 },
  metadata: { statements: 0, roundTrips: 0 },
};
