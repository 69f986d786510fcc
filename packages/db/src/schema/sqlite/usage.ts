import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

// What clients did, by day in UTC (`day` is its start), and what there is. Counted in memory and added every few
// seconds, as the counts for charts are, so no request writes here. The rows refer to clients and secrets that may be
// deleted meanwhile. On SQLite all are WITHOUT ROWID. CO-11, CO-12.

/** Of a client: `sign_in`, `token.<grant_type>` and `refusal`. Kept for 90 days. */
export const clientDay = sqliteTable(
  "client_day",
  {
    clientId: text("client_id").notNull(),
    day: integer().notNull(),
    metric: text().notNull(),
    count: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.clientId, table.day, table.metric] }),
    index("client_day_day").on(table.day, table.clientId),
  ],
);

/** How often a client's secret authenticated it. Kept for 40 days. */
export const secretDay = sqliteTable(
  "secret_day",
  { secretId: text("secret_id").notNull(), day: integer().notNull(), uses: integer().notNull() },
  (table) => [
    primaryKey({ columns: [table.secretId, table.day] }),
    index("secret_day_day").on(table.day, table.secretId),
  ],
);

/** How often a client got a code at a redirect URI; `uri_hash` is its SHA-256. Kept for 40 days. */
export const uriDay = sqliteTable(
  "uri_day",
  {
    clientId: text("client_id").notNull(),
    uriHash: text("uri_hash").notNull(),
    day: integer().notNull(),
    uses: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.clientId, table.uriHash, table.day] }),
    index("uri_day_day").on(table.day, table.clientId),
  ],
);

/** How many tokens a client got with a scope. Kept for 40 days. */
export const scopeDay = sqliteTable(
  "scope_day",
  {
    clientId: text("client_id").notNull(),
    scope: text().notNull(),
    day: integer().notNull(),
    uses: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.clientId, table.scope, table.day] }),
    index("scope_day_day").on(table.day, table.clientId),
  ],
);

/**
 * When a client last got a token. Not a column of `clients`, whose rows are wide and have many indexes. Deleted by the
 * sweeper once the client is gone.
 */
export const clientUse = sqliteTable(
  "client_use",
  { clientId: text("client_id").primaryKey(), lastTokenAt: integer("last_token_at").notNull() },
  (table) => [index("client_use_last_token").on(table.lastTokenAt, table.clientId)],
);

/**
 * What the list of applications sorts by: one row for each application, which triggers add and delete. Not columns of
 * `applications`, as for `client_use`. CO-18.
 */
export const applicationUse = sqliteTable(
  "application_use",
  {
    applicationId: text("application_id").primaryKey(),
    /** When a client of it last got a token; 0 before the first. */
    lastTokenAt: integer("last_token_at").notNull(),
    /** Refusals of the last 24 hours. The sweeper takes away those that are older. */
    refusals: integer().notNull(),
  },
  (table) => [
    index("application_use_last_token").on(table.lastTokenAt, table.applicationId),
    index("application_use_refusals").on(table.refusals, table.applicationId),
  ],
);

/** Refusals of an application's clients by hour (its start). Kept for 25 hours. */
export const applicationRefusals = sqliteTable(
  "application_refusals",
  { applicationId: text("application_id").notNull(), hour: integer().notNull(), count: integer().notNull() },
  (table) => [
    primaryKey({ columns: [table.applicationId, table.hour] }),
    index("application_refusals_hour").on(table.hour),
  ],
);

/**
 * How many rows `users`, `applications` and `clients` have. Triggers keep it in the transaction of the change. No row
 * means none. CO-13.
 */
export const totals = sqliteTable("totals", { name: text().primaryKey(), count: integer().notNull() });
