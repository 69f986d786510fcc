import Sqlite from "better-sqlite3";
import { checkFile } from "../backup/file.ts";
import { isPostgres } from "../database.ts";
import { fileOf, withPostgres } from "./connection.ts";

/** `problems`: sentences for people, none if all is well. `unchecked`: what could not be looked at, and why. */
export type DatabaseCheck = { checked: string; problems: string[]; unchecked: string[] };

/**
 * Reads the whole database and looks for damage: SQLite's integrity and foreign keys; on PostgreSQL every table and
 * B-tree by the extension amcheck, and indexes that are invalid. Changes nothing, and servers go on.
 */
export async function checkDatabase(url: string): Promise<DatabaseCheck> {
  return isPostgres(url) ? withPostgres(url, checkPostgres) : checkSqlite(fileOf(url));
}

function checkSqlite(file: string): DatabaseCheck {
  const connection = new Sqlite(file, { readonly: true, fileMustExist: true });
  try {
    return { checked: "integrity and foreign keys", problems: checkFile({ connection }), unchecked: [] };
  } finally {
    connection.close();
  }
}

type Query = <Row>(sql: string, values?: unknown[]) => Promise<Row[]>;
type Relation = { id: number; name: string };

const NO_AMCHECK =
  "The extension amcheck is missing, so tables and indexes were not read. A superuser installs it with: CREATE EXTENSION amcheck";

async function checkPostgres(query: Query): Promise<DatabaseCheck> {
  const invalid = await query<Relation>(
    `SELECT i.indexrelid::int8 AS id, i.indexrelid::regclass::text AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('i', 'I') AND NOT i.indisvalid`,
  );
  const problems = invalid.map(({ name }) => `The index ${name} is invalid: drop it and run gatehouse migrate.`);
  const [extension] = await query("SELECT 1 FROM pg_extension WHERE extname = 'amcheck'");
  if (!extension) return { checked: "invalid indexes", problems, unchecked: [NO_AMCHECK] };
  const unchecked: string[] = [];
  for (const { id, name } of await relations(query, "i", "btree"))
    await look(() => query("SELECT bt_index_check($1::oid::regclass, true)", [id]), `The index ${name}`, {
      problems,
      unchecked,
    });
  for (const { id, name } of await relations(query, "r", "heap")) {
    const read = () =>
      query<{ block: number; msg: string }>("SELECT blkno AS block, msg FROM verify_heapam($1::oid::regclass)", [id]);
    const damage = await look(read, `The table ${name}`, { problems, unchecked });
    problems.push(
      ...(damage ?? []).slice(0, 20).map(({ block, msg }) => `The table ${name} is damaged in block ${block}: ${msg}`),
    );
  }
  return { checked: "every table and B-tree, and invalid indexes", problems, unchecked };
}

function relations(query: Query, kind: "i" | "r", method: "btree" | "heap"): Promise<Relation[]> {
  return query<Relation>(
    `SELECT c.oid::int8 AS id, c.oid::regclass::text AS name FROM pg_class c JOIN pg_am a ON a.oid = c.relam
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = $1 AND a.amname = $2 AND c.relpersistence <> 't' ORDER BY 2`,
    [kind, method],
  );
}

const NOT_PERMITTED = "42501";

/** Runs a check that throws for damage; undefined if it threw. */
async function look<Row>(
  read: () => Promise<Row[]>,
  what: string,
  { problems, unchecked }: Pick<DatabaseCheck, "problems" | "unchecked">,
): Promise<Row[] | undefined> {
  try {
    return await read();
  } catch (thrown) {
    const cause = thrown as Error & { code?: string };
    if (cause.code === NOT_PERMITTED) unchecked.push(`${what} was not read: this account may not use amcheck.`);
    else problems.push(`${what} is damaged: ${cause.message}`);
    return undefined;
  }
}
