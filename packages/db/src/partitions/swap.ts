import pg from "pg";
import type { Client } from "../migrations/schema-state.ts";
import { defaultOf, withSettings } from "./keep.ts";
import { pendingName } from "./pending.ts";
import { PARTITIONED, type PartitionedName } from "./tables.ts";

const quoted = pg.escapeIdentifier;

const firstOf = (table: string): string => `${table}_first`;

/**
 * The statements that give `table` another name and put a partitioned one in its place, of which it is the first
 * partition, with keys below `end`. A constraint that says so spares PostgreSQL from looking at the rows. Indexes,
 * triggers and privileges of the new table are those of the old one, with their names.
 */
export async function swapStatements(client: Client, table: PartitionedName, end: string): Promise<string[]> {
  const [name, first, stray] = [table, firstOf(table), defaultOf(table)].map(quoted) as [string, string, string];
  const { owner, settings } = await describe(client, table);
  const indexes = await indexesOf(client, table);
  const triggers = await triggersOf(client, table);
  return [
    `SET LOCAL ROLE ${quoted(owner)}`,
    ...triggers.map((trigger) => `DROP TRIGGER ${quoted(trigger.name)} ON ${name}`),
    `ALTER TABLE ${name} RENAME TO ${first}`,
    ...indexes.map((index) => `ALTER INDEX ${quoted(index.name)} RENAME TO ${quoted(renamed(index.name, table))}`),
    `CREATE TABLE ${name} (LIKE ${first} INCLUDING DEFAULTS INCLUDING GENERATED INCLUDING STORAGE INCLUDING COMPRESSION INCLUDING COMMENTS) PARTITION BY RANGE (${quoted(PARTITIONED[table].key)})`,
    ...indexes.map((index) =>
      index.primary === null ? index.sql : `ALTER TABLE ${name} ADD CONSTRAINT ${quoted(index.name)} ${index.primary}`,
    ),
    ...(await grantsOf(client, table)),
    `ALTER TABLE ${name} ATTACH PARTITION ${first} FOR VALUES FROM (MINVALUE) TO (${pg.escapeLiteral(end)})`,
    `ALTER TABLE ${first} DROP CONSTRAINT ${quoted(pendingName(table))}`,
    `CREATE TABLE ${stray} PARTITION OF ${name} DEFAULT${withSettings(settings)}`,
    ...triggers.map((trigger) => trigger.sql),
  ];
}

/** `access_tokens_pkey` becomes `access_tokens_first_pkey`. */
const renamed = (index: string, table: string) =>
  index.startsWith(table) ? firstOf(table) + index.slice(table.length) : `${firstOf(table)}_${index}`;

async function describe(client: Client, table: string): Promise<{ owner: string; settings: string[] | null }> {
  const { rows } = await client.query<{ owner: string; settings: string[] | null }>(
    "SELECT pg_get_userbyid(relowner)::text AS owner, reloptions AS settings FROM pg_class WHERE oid = to_regclass($1)",
    [quoted(table)],
  );
  return rows[0] ?? { owner: "", settings: null };
}

type Named = { name: string; sql: string };

async function indexesOf(client: Client, table: string): Promise<(Named & { primary: string | null })[]> {
  const { rows } = await client.query<Named & { primary: string | null }>(
    `SELECT c.relname::text AS "name", pg_get_indexdef(i.indexrelid) AS "sql", pg_get_constraintdef(p.oid) AS "primary"
     FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     LEFT JOIN pg_constraint p ON p.conindid = i.indexrelid AND p.contype = 'p'
     WHERE i.indrelid = to_regclass($1) ORDER BY 1`,
    [quoted(table)],
  );
  return rows;
}

async function triggersOf(client: Client, table: string): Promise<Named[]> {
  const { rows } = await client.query<Named>(
    `SELECT tgname::text AS "name", pg_get_triggerdef(oid) AS "sql" FROM pg_trigger
     WHERE tgrelid = to_regclass($1) AND NOT tgisinternal ORDER BY 1`,
    [quoted(table)],
  );
  return rows;
}

/** Privileges of others than the owner, on the table and on columns, as GRANT. */
async function grantsOf(client: Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ sql: string }>(
    `WITH given AS (
       SELECT a.*, '' AS columns FROM pg_class c, aclexplode(c.relacl) AS a WHERE c.oid = to_regclass($1) AND a.grantee <> c.relowner
       UNION ALL
       SELECT a.*, format('(%I)', t.attname) FROM pg_class c JOIN pg_attribute t ON t.attrelid = c.oid, aclexplode(t.attacl) AS a
         WHERE c.oid = to_regclass($1) AND a.grantee <> c.relowner)
     SELECT format('GRANT %s%s ON %s TO %s%s', privilege_type, columns, $1::text,
         CASE WHEN grantee = 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END,
         CASE WHEN is_grantable THEN ' WITH GRANT OPTION' ELSE '' END) AS sql
     FROM given ORDER BY 1`,
    [quoted(table)],
  );
  return rows.map(({ sql }) => sql);
}
