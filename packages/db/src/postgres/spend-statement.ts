import { getTableColumns, getTableName } from "drizzle-orm";
import type { RowInsert, Statement, Write } from "../query/handle.ts";

/**
 * One statement that runs `first` and, only if it returns a row, inserts `rest`: one round trip instead of five, and all or none. A caller
 * that loses the race waits for the row, finds it spent, and inserts nothing.
 */
export function spendStatement(first: Write, rest: readonly RowInsert[]): Statement {
  const params = [first, ...rest].flatMap((part) => part.params);
  if (first.name === undefined) return { sql: textOf(first, rest), params };
  const name = `${first.name} for ${rest.map(({ table }) => getTableName(table)).join(", ")}`;
  const sql = texts.get(name) ?? textOf(first, rest);
  texts.set(name, sql);
  return { name, sql, params };
}

const texts = new Map<string, string>();

function textOf(first: Write, rest: readonly RowInsert[]): string {
  let given = first.params.length;
  const inserts = rest.map(({ table, params }, at) => {
    const columns = Object.values(getTableColumns(table));
    const values = columns.map((column, place) => `$${given + place + 1}::${column.getSQLType()}`).join(", ");
    const names = columns.map((column) => `"${column.name}"`).join(", ");
    given += params.length;
    return `inserted_${at} as (insert into "${getTableName(table)}" (${names}) select ${values} where exists (select 1 from spent))`;
  });
  return `with ${[`spent as (${first.sql})`, ...inserts].join(", ")} select 1 from spent`;
}
