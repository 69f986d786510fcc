import { bigint, index, pgTable, primaryKey, text } from "drizzle-orm/pg-core";

export const clientDay = pgTable(
  "client_day",
  {
    clientId: text("client_id").notNull(),
    day: bigint({ mode: "number" }).notNull(),
    metric: text().notNull(),
    count: bigint({ mode: "number" }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.clientId, table.day, table.metric] }),
    index("client_day_day").on(table.day, table.clientId),
  ],
);

export const secretDay = pgTable(
  "secret_day",
  {
    secretId: text("secret_id").notNull(),
    day: bigint({ mode: "number" }).notNull(),
    uses: bigint({ mode: "number" }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.secretId, table.day] }),
    index("secret_day_day").on(table.day, table.secretId),
  ],
);

export const uriDay = pgTable(
  "uri_day",
  {
    clientId: text("client_id").notNull(),
    uriHash: text("uri_hash").notNull(),
    day: bigint({ mode: "number" }).notNull(),
    uses: bigint({ mode: "number" }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.clientId, table.uriHash, table.day] }),
    index("uri_day_day").on(table.day, table.clientId),
  ],
);

export const scopeDay = pgTable(
  "scope_day",
  {
    clientId: text("client_id").notNull(),
    scope: text().notNull(),
    day: bigint({ mode: "number" }).notNull(),
    uses: bigint({ mode: "number" }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.clientId, table.scope, table.day] }),
    index("scope_day_day").on(table.day, table.clientId),
  ],
);

export const clientUse = pgTable(
  "client_use",
  { clientId: text("client_id").primaryKey(), lastTokenAt: bigint("last_token_at", { mode: "number" }).notNull() },
  (table) => [index("client_use_last_token").on(table.lastTokenAt, table.clientId)],
);

export const applicationUse = pgTable(
  "application_use",
  {
    applicationId: text("application_id").primaryKey(),
    lastTokenAt: bigint("last_token_at", { mode: "number" }).notNull(),
    refusals: bigint({ mode: "number" }).notNull(),
  },
  (table) => [
    index("application_use_last_token").on(table.lastTokenAt, table.applicationId),
    index("application_use_refusals").on(table.refusals, table.applicationId),
  ],
);

export const applicationRefusals = pgTable(
  "application_refusals",
  {
    applicationId: text("application_id").notNull(),
    hour: bigint({ mode: "number" }).notNull(),
    count: bigint({ mode: "number" }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.applicationId, table.hour] }),
    index("application_refusals_hour").on(table.hour),
  ],
);

export const totals = pgTable("totals", { name: text().primaryKey(), count: bigint({ mode: "number" }).notNull() });
