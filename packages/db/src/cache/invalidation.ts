import { getTableName } from "drizzle-orm";
import { getTableConfig, type PgTable } from "drizzle-orm/pg-core";
import type { Operation, Target } from "../query/builder.ts";
import type { Tables } from "../query/handle.ts";
import * as schema from "../schema/postgres/index.ts";

/** `configuration`: clients and webhook endpoints with their secrets. `accessTokens`: tokens with everything that can end them. */
export type CacheName = "configuration" | "accessTokens";

const tables: Tables = { ...schema };
const ANY = ["insert", "update", "delete"] as const;
/** For rows that other cached rows refer to, so that a new one cannot be part of a cached result. */
const EXISTING = ["update", "delete"] as const;

/** The tables whose rows each cache holds, and what has to happen to one before a cached result can be wrong. */
const CACHED: Record<CacheName, { [Table in keyof Tables]?: readonly Operation[] }> = {
  configuration: {
    applications: ANY,
    applicationBranding: ANY,
    clients: ANY,
    clientSecrets: ANY,
    signInProviders: ANY,
    webhookEndpoints: ANY,
    webhookSecrets: ANY,
  },
  accessTokens: { accessTokens: EXISTING, grants: EXISTING, clients: ANY, users: ANY },
};

/** By table name, the tables whose rows are deleted with that table's: the schema's foreign keys. */
const dependents = new Map<string, string[]>();
for (const table of Object.values(tables)) {
  for (const { onDelete, reference } of getTableConfig(table).foreignKeys) {
    if (onDelete !== "cascade") continue;
    const parent = getTableName(reference().foreignTable);
    dependents.set(parent, [...(dependents.get(parent) ?? []), getTableName(table)]);
  }
}

/** Every change that a write can make, as `<operation> <table name>`. */
export function changesOf({ operation, table }: Target): string[] {
  const name = getTableName(table);
  if (operation === "upsert") return [`insert ${name}`, `update ${name}`];
  if (operation !== "delete") return [`${operation} ${name}`];
  const names = new Set([name]);
  for (const parent of names) for (const dependent of dependents.get(parent) ?? []) names.add(dependent);
  return [...names].map((deleted) => `delete ${deleted}`);
}

/** By cache, the changes after which a cached result can be wrong. */
const invalidating = Object.entries(CACHED).map(([cache, cached]) => {
  const changes = Object.entries(cached).flatMap(([key, operations]) =>
    operations.map((operation) => `${operation} ${getTableName(tables[key as keyof Tables])}`),
  );
  return { cache: cache as CacheName, changes: new Set(changes) };
});

const memo = new WeakMap<PgTable, Partial<Record<Operation, readonly CacheName[]>>>();

/** The caches that this write invalidates. */
export function invalidatedBy(target: Target): readonly CacheName[] {
  const known = memo.get(target.table)?.[target.operation];
  if (known) return known;
  const caches = invalidating.filter(({ changes }) => changesOf(target).some((change) => changes.has(change))).map(({ cache }) => cache);
  memo.set(target.table, { ...memo.get(target.table), [target.operation]: caches });
  return caches;
}
