import { createHash } from "node:crypto";
import { type Column, getTableColumns, getTableName, is, Table } from "drizzle-orm";
import { type PgTable, getTableConfig as postgresConfig } from "drizzle-orm/pg-core";
import { type SQLiteTable, getTableConfig as sqliteConfig } from "drizzle-orm/sqlite-core";
import type { Dialect } from "../migrations/read.ts";
import * as postgres from "../schema/postgres/index.ts";
import * as sqlite from "../schema/sqlite/index.ts";

/** A row by drizzle's names of the columns, with the values that the program uses, the same on both engines. */
export type MovedRow = Record<string, unknown>;

/** A table as one engine has it. Both have the same tables and columns: schema.test.ts. */
export type MovedTable = {
  name: string;
  table: Table;
  columns: readonly (readonly [key: string, column: Column])[];
  /** The columns of the primary key, by drizzle's names. */
  key: readonly string[];
};

/** The modules of schemas that a product adds, one for each engine. */
export type FurtherSchemas = Readonly<Record<Dialect, Readonly<Record<string, unknown>>>>;

/** Every table, after those that it refers to. */
export function tablesInOrder(dialect: Dialect, further?: FurtherSchemas): MovedTable[] {
  const own: Record<string, unknown> = dialect === "postgres" ? postgres : sqlite;
  const exported = [...Object.values(own), ...Object.values(further?.[dialect] ?? {})];
  const tables = exported.filter((value): value is Table => is(value, Table));
  const references = new Map(tables.map((table) => [getTableName(table), referencesOf(table, dialect)]));
  const ordered: Table[] = [];
  const add = (table: Table) => {
    if (ordered.includes(table)) return;
    for (const name of references.get(getTableName(table)) ?? []) {
      const other = tables.find((one) => getTableName(one) === name);
      if (other && other !== table) add(other);
    }
    ordered.push(table);
  };
  for (const table of tables.toSorted((a, b) => (getTableName(a) < getTableName(b) ? -1 : 1))) add(table);
  return ordered.map((table) => describe(table, dialect));
}

const configOf = (table: Table, dialect: Dialect) =>
  dialect === "postgres" ? postgresConfig(table as PgTable) : sqliteConfig(table as SQLiteTable);

function referencesOf(table: Table, dialect: Dialect): string[] {
  return configOf(table, dialect).foreignKeys.map((key) => getTableName(key.reference().foreignTable));
}

function describe(table: Table, dialect: Dialect): MovedTable {
  const columns = Object.entries(getTableColumns(table));
  const { primaryKeys } = configOf(table, dialect);
  const names = primaryKeys[0]?.columns.map(({ name }) => name) ?? [];
  const key = columns.filter(([, column]) => column.primary || names.includes(column.name)).map(([name]) => name);
  if (key.length === 0) throw new Error(`the table ${getTableName(table)} has no primary key`);
  return { name: getTableName(table), table, columns, key };
}

/** How many rows, and the sum of their hashes: the same whatever their order. */
export type TableDigest = { rows: number; digest: string };

/** Adds rows up to a {@link TableDigest}. */
export function createDigest(table: MovedTable): { add(rows: readonly MovedRow[]): void; value(): TableDigest } {
  const names = table.columns.map(([key]) => key).toSorted();
  const sum = new Uint32Array(8);
  let count = 0;
  return {
    add(rows) {
      for (const row of rows) {
        const hash = createHash("sha256")
          .update(JSON.stringify(names.map((name) => comparable(row[name]))))
          .digest();
        for (let at = 0; at < 8; at++) sum[at] = (sum[at] ?? 0) + hash.readUInt32LE(at * 4);
        count += 1;
      }
    },
    value: () => ({ rows: count, digest: Buffer.from(sum.buffer).toString("base64url") }),
  };
}

function comparable(value: unknown): unknown {
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString("base64") };
  return value ?? null;
}

/** PostgreSQL's text cannot hold NUL, which becomes U+FFFD there, as in every write of a server. */
export function withoutNul(row: MovedRow): MovedRow {
  return Object.fromEntries(
    Object.entries(row).map(([key, value]) => [
      key,
      typeof value === "string" && value.includes("\0") ? value.replaceAll("\0", "\uFFFD") : value,
    ]),
  );
}
