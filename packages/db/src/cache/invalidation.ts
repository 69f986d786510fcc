import { getTableName } from "drizzle-orm";
import { getTableConfig, type PgTable } from "drizzle-orm/pg-core";
import type { Operation, Target } from "../query/builder.ts";
import type { Tables } from "../query/handle.ts";
import * as schema from "../schema/postgres/index.ts";

/** `configuration`: clients and webhook providers with their secrets. `accessTokens`: tokens with everything that can end them. */
export type CacheName = "configuration" | "accessTokens";

const tables: Tables = { ...schema };

const ANY = ["insert", "update", "delete"] as const;
/** For rows that are cached only together with rows that refer to them: a new one has none yet. */
const EXISTING = ["update", "delete"] as const;

/** The tables whose rows each cache holds, and the changes after which a cached row may be wrong. Absent rows are never cached. */
export const CACHED: Record<CacheName, { [Table in keyof Tables]?: readonly Operation[] }> = {
  configuration: { applications: ANY, clients: ANY, clientSecrets: ANY, webhookProviders: ANY, webhookSecrets: ANY },
  accessTokens: { accessTokens: EXISTING, grants: EXISTING, clients: ANY, users: ANY },
};

/** Tables whose rows are deleted together with those of a table, by name: the foreign keys of the schema. */
const DEPENDENTS = new Map<string, string[]>();
for (const table of Object.values(tables)) {
  for (const key of getTableConfig(table).foreignKeys) {
    if (key.onDelete === undefined || key.onDelete === "no action" || key.onDelete === "restrict") continue;
    const parent = getTableName(key.reference().foreignTable);
    DEPENDENTS.set(parent, [...(DEPENDENTS.get(parent) ?? []), getTableName(table)]);
  }
}

/** Every change that a write can make, as `<operation> <table>`. */
function changesOf(operation: Operation, table: string): string[] {
  if (operation === "upsert") return [`insert ${table}`, `update ${table}`];
  if (operation !== "delete") return [`${operation} ${table}`];
  const names = new Set([table]);
  for (const name of names) for (const dependent of DEPENDENTS.get(name) ?? []) names.add(dependent);
  return [...names].map((name) => `delete ${name}`);
}

const stale = Object.entries(CACHED).map(([cache, cached]) => ({
  cache: cache as CacheName,
  changes: new Set(
    Object.entries(cached).flatMap(([key, operations]) =>
      operations.map((operation) => `${operation} ${getTableName(tables[key as keyof Tables])}`),
    ),
  ),
}));

const known = new WeakMap<PgTable, Partial<Record<Operation, readonly CacheName[]>>>();

/** The caches in which this write can make a row wrong. */
export function cachesChangedBy({ table, operation }: Target): readonly CacheName[] {
  const byOperation = known.get(table) ?? {};
  known.set(table, byOperation);
  byOperation[operation] ??= stale
    .filter(({ changes }) => changesOf(operation, getTableName(table)).some((change) => changes.has(change)))
    .map(({ cache }) => cache);
  return byOperation[operation];
}
