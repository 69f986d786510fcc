import Sqlite from "better-sqlite3";
import { isPostgres } from "../database.ts";
import { fileOf, withPostgres } from "./connection.ts";

/** What a table takes on disk. */
export type TableSize = {
  table: string;
  /** Its rows, without its indexes. */
  bytes: number;
  indexBytes: number;
  /** The planner's estimate; null where the engine has none. */
  rows: number | null;
};

export type DatabaseSize = { bytes: number; tables: TableSize[] };

/** The size of every table, largest first. Reads the file of SQLite once; servers go on meanwhile. */
export async function databaseSize(url: string): Promise<DatabaseSize> {
  return isPostgres(url) ? withPostgres(url, sizeOnPostgres) : sizeOnSqlite(fileOf(url));
}

/** Partitions count for their table. */
const POSTGRES_TABLES = `
  SELECT coalesce(pg_partition_root(c.oid)::regclass::text, c.oid::regclass::text) AS "table",
         sum(pg_table_size(c.oid))::float8 AS bytes, sum(pg_indexes_size(c.oid))::float8 AS "indexBytes",
         sum(greatest(c.reltuples, 0))::float8 AS rows
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind = 'r' AND n.nspname = current_schema()
  GROUP BY 1 ORDER BY sum(pg_total_relation_size(c.oid)) DESC, 1`;

async function sizeOnPostgres(query: <Row>(sql: string) => Promise<Row[]>): Promise<DatabaseSize> {
  const [whole] = await query<{ bytes: number }>("SELECT pg_database_size(current_database())::float8 AS bytes");
  return { bytes: whole?.bytes ?? 0, tables: await query<TableSize>(POSTGRES_TABLES) };
}

/** B-trees that are no index of the schema, such as the primary key of a table without row ids, count for their table. */
const SQLITE_TABLES = `
  SELECT m.tbl_name AS "table",
         sum(CASE WHEN m.type = 'table' THEN s.pgsize ELSE 0 END) AS bytes,
         sum(CASE WHEN m.type = 'index' THEN s.pgsize ELSE 0 END) AS indexBytes, NULL AS rows
  FROM dbstat AS s JOIN sqlite_schema AS m ON m.name = s.name
  WHERE s.aggregate = TRUE
  GROUP BY 1 ORDER BY sum(s.pgsize) DESC, 1`;

function sizeOnSqlite(file: string): DatabaseSize {
  const connection = new Sqlite(file, { readonly: true, fileMustExist: true });
  try {
    const pages = connection.pragma("page_count", { simple: true }) as number;
    const bytes = pages * (connection.pragma("page_size", { simple: true }) as number);
    return { bytes, tables: connection.prepare<[], TableSize>(SQLITE_TABLES).all() };
  } finally {
    connection.close();
  }
}
