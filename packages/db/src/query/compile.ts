import { Column, getTableName, is, Param, Placeholder, SQL } from "drizzle-orm";

/** Puts the values of a query's placeholders in their places, each in the engine's own form. */
export type Fill = (values: Record<string, unknown>) => unknown[];

/** Compiles what drizzle's `fillPlaceholders` works out anew on each call. The result throws for a placeholder without a value. */
export function compileParams(params: readonly unknown[]): Fill {
  const readers = params.map((param): ((values: Record<string, unknown>) => unknown) => {
    if (is(param, Placeholder)) return (values) => givenFor(values, param.name);
    if (!is(param, Param) || !is(param.value, Placeholder)) return () => param;
    const { encoder, value } = param;
    return (values) => encoder.mapToDriverValue(givenFor(values, value.name));
  });
  return (values) => readers.map((read) => read(values));
}

function givenFor(values: Record<string, unknown>, name: string): unknown {
  const value = values[name];
  if (value === undefined) throw new Error(`no value for the placeholder "${name}"`);
  return value;
}

/** A column of a result, as drizzle has selected it: `path` is where it goes in the row, by one name or two. */
export type Field = { path: readonly string[]; field: unknown };
type Row = Record<string, unknown>;
type Read = (values: readonly unknown[]) => unknown;

/**
 * Compiles the making of a row out of its values, which drizzle's `mapResultRow` works out anew for each row.
 * `certain` tells of each table whether its join always finds a row: where it does not, a member of that table's columns is null.
 */
export function compileRow(fields: readonly Field[], certain: Readonly<Record<string, boolean>> = {}): (values: readonly unknown[]) => Row {
  const members = new Map<string, Read>();
  for (const [at, { path, field }] of fields.entries()) {
    const [name = "", ...deeper] = path;
    if (deeper.length > 1) throw new Error(`a hot query selects two levels at most, not ${path.join(".")}`);
    if (deeper.length === 0) members.set(name, readColumn(field, at));
    else if (!members.has(name)) members.set(name, readMember(fields, name, certain));
  }
  return rowReader([...members]);
}

function rowReader(members: readonly (readonly [string, Read])[]): (values: readonly unknown[]) => Row {
  return (values) => {
    const row: Row = {};
    for (const [name, read] of members) row[name] = read(values);
    return row;
  };
}

function readMember(fields: readonly Field[], name: string, certain: Readonly<Record<string, boolean>>): Read {
  const places = fields.flatMap(({ path, field }, at) => (path[0] === name ? [{ name: path[1] ?? "", field, at }] : []));
  const read = rowReader(places.map((place) => [place.name, readColumn(place.field, place.at)]));
  const tables = new Set(places.map(({ field }) => (is(field, Column) ? getTableName(field.table) : undefined)));
  const [table] = tables;
  if (tables.size !== 1 || table === undefined || certain[table] !== false) return read;
  return (values) => (places.every(({ at }) => values[at] === null) ? null : read(values));
}

function readColumn(field: unknown, at: number): Read {
  const decoder = is(field, Column) ? field : decoderOf(field);
  // Most columns take what the engine gives, and say so by inheriting the method that does nothing.
  if (decoder.mapFromDriverValue === Column.prototype.mapFromDriverValue) return (values) => values[at];
  return (values) => (values[at] === null ? null : decoder.mapFromDriverValue(values[at]));
}

/** Of an expression, named or not. The types keep the decoder to drizzle itself. */
function decoderOf(field: unknown): { mapFromDriverValue(value: unknown): unknown } {
  const expression = is(field, SQL.Aliased) ? field.sql : field;
  if (!is(expression, SQL)) throw new Error("a hot query selects columns and expressions only");
  return Reflect.get(expression, "decoder");
}
