import { getTableColumns, getTableName } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Write } from "../query/db.ts";

/**
 * Compiles one statement that inserts any number of rows of which every column is given: each parameter is the array of
 * a column's values.
 */
export function compileInsert(table: PgTable): (rows: readonly Record<string, unknown>[]) => Write {
  const columns = Object.entries(getTableColumns(table));
  const arrays = columns.map(([, column], at) => `$${at + 1}::${column.getSQLType()}[]`);
  const into = `"${getTableName(table)}" (${columns.map(([, column]) => `"${column.name}"`).join(", ")})`;
  const name = `append to ${getTableName(table)}`;
  const sql = `insert into ${into} select * from unnest(${arrays.join(", ")})`;
  const arrayOf = (rows: readonly Record<string, unknown>[], key: string, column: PgColumn) =>
    rows.map((row) => (row[key] === null ? null : column.mapToDriverValue(row[key])));
  return (rows) => ({ name, sql, params: columns.map(([key, column]) => arrayOf(rows, key, column)), table });
}
