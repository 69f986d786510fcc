import { getTableColumns, getTableName } from "drizzle-orm";
import type { RowInsert, Statement, Write } from "../query/db.ts";

/** One thing to spend: `first` is the conditional update that spends it, and `rest` are the rows that it buys. */
export type Spending = { first: Write; rest: readonly RowInsert[] };

/**
 * One statement for any number of spendings of the same shape: it runs each `first`, and inserts the `rest` of those
 * that changed a row. It returns the places, from 1, of those that did. A caller that loses a race waits for the row,
 * finds it spent, and inserts nothing. Of several in one statement that want the same row, one gets it, because an
 * update changes a row once: see {@link isSameRow}. Every parameter is an array with a value for each spending.
 */
export function spendStatement(all: readonly Spending[]): Statement {
  const [sample] = all as readonly [Spending, ...Spending[]];
  const name = shapeOf(sample);
  const { sql } = compiled(sample);
  const lists = all.map(paramsOf);
  const params = paramsOf(sample).map((_, at) => lists.map((list) => list[at]));
  return { ...(name !== undefined && { name }), sql, params };
}

/**
 * Whether two spendings of one shape want the same row. One that does not spend it for good, such as a use of a
 * session, can have it next.
 */
export function isSameRow(one: Spending, other: Spending): boolean {
  return compiled(one).keys.every((at) => one.first.params[at] === other.first.params[at]);
}

/**
 * Spendings of one shape differ in their values only; undefined for a first write without a name, which is unlike any
 * other.
 */
export function shapeOf({ first, rest }: Spending): string | undefined {
  return first.name === undefined
    ? undefined
    : `${first.name} for ${rest.map(({ table }) => getTableName(table)).join(", ")}`;
}

/** `keys`: the places, from 0, of the parameters of `first` that name its row. */
type Compiled = { sql: string; keys: readonly number[] };
const known = new Map<string, Compiled>();

function compiled(spending: Spending): Compiled {
  const shape = shapeOf(spending);
  const found = shape === undefined ? undefined : known.get(shape);
  if (found) return found;
  const made = { sql: textOf(spending), keys: keysOf(spending.first.sql).map(({ place }) => place - 1) };
  if (shape !== undefined) known.set(shape, made);
  return made;
}

const paramsOf = ({ first, rest }: Spending) => [...first.params, ...rest.flatMap(({ params }) => params)];

function textOf({ first, rest }: Spending): string {
  const types = typesOf(first);
  const arrays = types.map((type, at) => `$${at + 1}::${type}[]`);
  const names = types.map((_, at) => `p${at + 1}`);
  const given = `given as (select * from unnest(${arrays.join(", ")}) with ordinality as given(${[...names, "ord"].join(", ")}))`;

  let used = first.params.length;
  const inserts = rest.map(({ table }, place) => {
    const columns = Object.values(getTableColumns(table));
    const quoted = columns.map(({ name }) => `"${name}"`).join(", ");
    const values = columns.map((column, at) => `$${used + at + 1}::${column.getSQLType()}[]`).join(", ");
    used += columns.length;
    return `inserted_${place} as (insert into "${getTableName(table)}" (${quoted}) select ${quoted}
      from unnest(${values}) with ordinality as bought(${quoted}, ord) where bought.ord in (select ord from spent))`;
  });
  return `with ${[given, `spent as (${updateFromGiven(first.sql, types)})`, ...inserts].join(", ")} select ord from spent`;
}

/**
 * An update of one row, as an update of a row for each row of `given`. What must equal a parameter must also be among
 * all of them, which the join implies: without that, the planner reads all of a table that was small when it made the
 * plan, and keeps the plan.
 */
function updateFromGiven(update: string, types: readonly string[]): string {
  const { head, condition } = partsOf(update);
  const keys = keysOf(update);
  if (keys.length === 0)
    throw new Error("what is spent first must be an update of the row with some key, and `returning`");
  const among = keys.map(({ column, place }) => ` and ${column} = any ($${place}::${types[place - 1]}[])`).join("");
  return `${`${head} from given${condition}`.replace(/\$(\d+)/g, "given.p$1")}${among} returning given.ord`;
}

function partsOf(update: string): { head: string; condition: string } {
  const [, head = "", condition = ""] = /^(update .*?)( where .*) returning .*$/s.exec(update) ?? [];
  return { head, condition };
}

/** The columns that must equal a parameter, and the places of those parameters, from 1. */
function keysOf(update: string): { column: string; place: number }[] {
  const equal = partsOf(update).condition.matchAll(/("\w+"\."\w+") = \$(\d+)/g);
  return [...equal].map(([, column = "", place]) => ({ column, place: Number(place) }));
}

/** The SQL type of each parameter: that of the column that it is assigned to or compared with. */
function typesOf({ sql, params, table }: Write): string[] {
  const columns = new Map(Object.values(getTableColumns(table)).map((column) => [column.name, column.getSQLType()]));
  const types = new Map(
    [...sql.matchAll(/"(\w+)" [=<>]+ \$(\d+)/g)].map(([, column = "", at]) => [Number(at), columns.get(column)]),
  );
  return params.map((_, at) => {
    const type = types.get(at + 1);
    if (type === undefined)
      throw new Error(`parameter ${at + 1} of "${sql}" is not assigned to a column or compared with one`);
    return type;
  });
}
