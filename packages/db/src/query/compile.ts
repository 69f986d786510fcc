import { Column, getTableName, is, Param, Placeholder, SQL } from "drizzle-orm";
import type { Preparable } from "./db.ts";

// This file alone relies on drizzle's internals, which any release may change: the fields of a prepared query, the
// decoder of an expression, `mapFromDriverValue`. So the catalog pins drizzle-orm to one version, and compile.test.ts
// compares the results with drizzle's own.

/** A query that is ready to run many times. */
export type Compiled = {
  sql: string;
  fill: Fill;
  /** Makes a row of a result's values; undefined for a write that returns nothing. */
  toRow: ((values: readonly unknown[]) => Record<string, unknown>) | undefined;
};

/**
 * Compiles a query of the builder. drizzle's own prepared queries decode each row and look for placeholders each time
 * they run.
 */
export function compile(query: Preparable<unknown>, name: string): Compiled {
  const { sql, params } = query.toSQL();
  const { fields, joinsNotNullableMap } = query.prepare(name) as {
    fields?: readonly Field[];
    joinsNotNullableMap?: Record<string, boolean>;
  };
  return { sql, fill: compileParams(params), toRow: fields && compileRow(fields, joinsNotNullableMap) };
}

/** Returns a query's parameters with the placeholders replaced by values, each in the engine's own form. */
export type Fill = (values: Record<string, unknown>) => unknown[];

/**
 * Does once what drizzle's `fillPlaceholders` does for each call. The result throws for a placeholder without a value.
 */
export function compileParams(params: readonly unknown[]): Fill {
  const readers = params.map((param): ((values: Record<string, unknown>) => unknown) => {
    if (is(param, Placeholder)) return (values) => givenValue(values, param.name);
    if (!is(param, Param) || !is(param.value, Placeholder)) return () => param;
    const { encoder, value } = param;
    return (values) => encoder.mapToDriverValue(givenValue(values, value.name));
  });
  return (values) => readers.map((read) => read(values));
}

function givenValue(values: Record<string, unknown>, name: string): unknown {
  const value = values[name];
  if (value === undefined) throw new Error(`no value for the placeholder "${name}"`);
  return value;
}

/** A column of a result: `path` is its place in the row, one name or two. */
type Field = { path: readonly string[]; field: unknown };
type Row = Record<string, unknown>;
type Read = (values: readonly unknown[]) => unknown;

/**
 * Does once what drizzle's `mapResultRow` does for each row. `notNull` says for each table whether its join always
 * finds a row; where it does not, the member with that table's columns is null.
 */
function compileRow(
  fields: readonly Field[],
  notNull: Readonly<Record<string, boolean>> = {},
): (values: readonly unknown[]) => Row {
  const members = new Map<string, Read>();
  for (const [at, { path, field }] of fields.entries()) {
    const [name = "", ...deeper] = path;
    if (deeper.length > 1) throw new Error(`a prepared query selects at most two levels, not ${path.join(".")}`);
    if (deeper.length === 0) members.set(name, readColumn(field, at));
    else if (!members.has(name)) members.set(name, readMember(fields, name, notNull));
  }
  return rowReader([...members]);
}

function rowReader(members: readonly (readonly [string, Read])[]): (values: readonly unknown[]) => Row {
  // Copying an object that has all members is faster than adding them one by one.
  const empty: Row = Object.fromEntries(members.map(([name]) => [name, undefined]));
  return (values) => {
    const row: Row = { ...empty };
    for (const [name, read] of members) row[name] = read(values);
    return row;
  };
}

function readMember(fields: readonly Field[], name: string, notNull: Readonly<Record<string, boolean>>): Read {
  const places = fields.flatMap(({ path, field }, at) =>
    path[0] === name ? [{ name: path[1] ?? "", field, at }] : [],
  );
  const read = rowReader(places.map((place) => [place.name, readColumn(place.field, place.at)]));
  const tables = new Set(places.map(({ field }) => (is(field, Column) ? getTableName(field.table) : undefined)));
  const [table] = tables;
  if (tables.size !== 1 || table === undefined || notNull[table] !== false) return read;
  return (values) => (places.every(({ at }) => values[at] === null) ? null : read(values));
}

function readColumn(field: unknown, at: number): Read {
  const decoder = is(field, Column) ? field : decoderOf(field);
  // Most columns need no decoding and inherit the method that returns its argument.
  if (decoder.mapFromDriverValue === Column.prototype.mapFromDriverValue) return (values) => values[at];
  return (values) => (values[at] === null ? null : decoder.mapFromDriverValue(values[at]));
}

/** The decoder of an expression, named or not; private in drizzle's types. */
function decoderOf(field: unknown): { mapFromDriverValue(value: unknown): unknown } {
  const expression = is(field, SQL.Aliased) ? field.sql : field;
  if (!is(expression, SQL)) throw new Error("a prepared query selects columns and expressions only");
  return Reflect.get(expression, "decoder");
}
