import { setImmediate } from "node:timers/promises";
import type Sqlite from "better-sqlite3";
import { openFile } from "../sqlite/file.ts";
import type { MoveEnd } from "./end.ts";
import { type FurtherSchemas, type MovedRow, type MovedTable, tablesInOrder } from "./rows.ts";

/** A SQLite file. Until the end, others can read it and cannot write. */
export function openSqliteEnd(file: string, further?: FurtherSchemas): MoveEnd {
  const connection = openFile(file);
  connection.pragma("busy_timeout = 10000");
  connection.exec("BEGIN IMMEDIATE; PRAGMA defer_foreign_keys = ON");
  const dropped: string[] = [];
  return {
    tables: tablesInOrder("sqlite", further),
    async tableNames() {
      return connection.prepare<[], string>(TABLES).pluck().all();
    },
    async read(table, after, limit) {
      await setImmediate();
      const { sql, params } = pageOf(table, after, () => "?");
      const rows = connection.prepare(sql).all(...params, limit) as MovedRow[];
      return rows.map((row) => fromDriver(table, row));
    },
    async withoutTriggers() {
      const triggers = connection.prepare<[], { name: string; sql: string }>(TRIGGERS).all();
      for (const { name } of triggers) connection.exec(`DROP TRIGGER "${name}"`);
      dropped.push(...triggers.map(({ sql }) => sql));
    },
    async insert(table, rows) {
      await setImmediate();
      const insert = prepareInsert(connection, table);
      for (const row of rows) insert(row);
    },
    async count({ name }) {
      return connection.prepare<[], number>(`SELECT count(*) FROM "${name}"`).pluck().get() ?? 0;
    },
    async setFact(key, value) {
      connection.prepare("DELETE FROM installation WHERE key = ?").run(key);
      if (value !== null) connection.prepare("INSERT INTO installation (key, value) VALUES (?, ?)").run(key, value);
    },
    async commit() {
      for (const sql of dropped) connection.exec(sql);
      connection.exec("COMMIT");
    },
    async close() {
      if (connection.inTransaction) connection.exec("ROLLBACK");
      connection.close();
    },
  };
}

const TABLES = `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite~_%' ESCAPE '~'
  AND name <> 'cache_versions'`;
const TRIGGERS = "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'";

function prepareInsert(connection: Sqlite.Database, { name, columns }: MovedTable): (row: MovedRow) => void {
  const into = columns.map(([, column]) => `"${column.name}"`).join(", ");
  const statement = connection.prepare(`INSERT INTO "${name}" (${into}) VALUES (${columns.map(() => "?").join(", ")})`);
  return (row) =>
    void statement.run(
      columns.map(([key, column]) => {
        const value = row[key];
        return value === null || value === undefined ? null : column.mapToDriverValue(value);
      }),
    );
}

/** The query of a page. `place`: the placeholder of the parameter at that position, from 1 on. */
export function pageOf(
  { name, columns, key }: MovedTable,
  after: MovedRow | undefined,
  place: (at: number) => string,
): { sql: string; params: unknown[] } {
  const byKey = key.map((one) => columns.find(([own]) => own === one)?.[1]);
  const keys = byKey.map((column) => `"${column?.name}"`).join(", ");
  const list = columns.map(([own, column]) => `"${column.name}" AS "${own}"`).join(", ");
  const params = after === undefined ? [] : key.map((one, at) => byKey[at]?.mapToDriverValue(after[one]));
  const from = params.length === 0 ? "" : ` WHERE (${keys}) > (${params.map((_, at) => place(at + 1)).join(", ")})`;
  return { sql: `SELECT ${list} FROM "${name}"${from} ORDER BY ${keys} LIMIT ${place(params.length + 1)}`, params };
}

/** Values as the program uses them. */
export function fromDriver({ columns }: MovedTable, row: MovedRow): MovedRow {
  return Object.fromEntries(
    columns.map(([key, column]) => {
      const value = row[key];
      return [key, value === null || value === undefined ? null : column.mapFromDriverValue(value)];
    }),
  );
}
