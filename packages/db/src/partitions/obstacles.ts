import pg from "pg";
import type { Client } from "../migrations/schema-state.ts";
import { PARTITIONED, type PartitionedName } from "./tables.ts";

/** What refers to a table by its identity and would go on referring to its rows before, or would be lost. */
const OBSTACLES = `
  SELECT 'It does not exist.' AS "problem" WHERE to_regclass($1) IS NULL
  UNION ALL SELECT 'This account does not own it.' FROM pg_class
    WHERE oid = to_regclass($1) AND NOT pg_has_role(relowner, 'USAGE')
  UNION ALL SELECT format('The foreign key %s of %s refers to it.', conname, conrelid::regclass) FROM pg_constraint
    WHERE confrelid = to_regclass($1) AND contype = 'f'
  UNION ALL SELECT format('It has the constraint %s, which a partitioned table cannot take over.', conname) FROM pg_constraint
    WHERE conrelid = to_regclass($1) AND contype NOT IN ('p', 'n', 'c')
  UNION ALL SELECT DISTINCT format('The view %s reads it.', r.ev_class::regclass)
    FROM pg_depend d JOIN pg_rewrite r ON r.oid = d.objid
    WHERE d.classid = 'pg_rewrite'::regclass AND d.refclassid = 'pg_class'::regclass AND d.refobjid = to_regclass($1)
  UNION ALL SELECT format('The publication %s replicates it: subscribers would lose it.', pubname) FROM pg_publication_tables
    WHERE schemaname = current_schema() AND tablename = $2
  UNION ALL SELECT format('%s inherits from it.', inhrelid::regclass) FROM pg_inherits WHERE inhparent = to_regclass($1)
  UNION ALL SELECT 'It has row security.' FROM pg_class WHERE oid = to_regclass($1) AND relrowsecurity`;

/** Why `table` cannot become the first partition of itself, with keys below `end`, as sentences. */
export async function obstaclesOf(client: Client, table: PartitionedName, end: string): Promise<string[]> {
  const name = pg.escapeIdentifier(table);
  const key = pg.escapeIdentifier(PARTITIONED[table].key);
  const { rows } = await client.query<{ problem: string }>(OBSTACLES, [name, table]);
  const problems = rows.map(({ problem }) => problem);
  if (problems.length > 0) return problems;
  const late = await client.query(`SELECT 1 FROM ${name} WHERE ${key} >= $1 LIMIT 1`, [end]);
  return late.rows.length === 0
    ? []
    : [
        `It has rows from a clock that was days ahead: SELECT * FROM ${name} WHERE ${key} >= '${end}'. Delete them, and set that clock.`,
      ];
}
