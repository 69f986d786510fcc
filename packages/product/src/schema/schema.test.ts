import { engines } from "@gatehouse/db/testing/engines";
import { getTableColumns, getTableName, is } from "drizzle-orm";
import * as pg from "drizzle-orm/pg-core";
import * as lite from "drizzle-orm/sqlite-core";
import { describe, expect, expectTypeOf, test } from "vitest";
import { migrations } from "../index.ts";
import { tablesOf } from "../tables.ts";
import * as postgres from "./postgres.ts";
import * as sqlite from "./sqlite.ts";

type Rows<Schema, Kind extends "$inferSelect" | "$inferInsert"> = {
  [Name in keyof Schema]: Schema[Name] extends Record<Kind, infer Row> ? Row : never;
};

type Config = ReturnType<typeof lite.getTableConfig> | ReturnType<typeof pg.getTableConfig>;
const nameOf = (column: unknown) => (column as { name?: string }).name;

/** What both dialects must agree on; only the column types are each engine's own. */
function shapeOf(table: unknown) {
  if (is(table, lite.SQLiteTable)) return describeTable(table, lite.getTableConfig(table));
  if (is(table, pg.PgTable)) return describeTable(table, pg.getTableConfig(table));
  throw new Error("a schema file exports tables only");
}

function describeTable(table: lite.SQLiteTable | pg.PgTable, config: Config) {
  return {
    name: config.name,
    columns: Object.entries(getTableColumns(table)).map(([key, c]) => [
      key,
      c.name,
      c.dataType,
      c.notNull,
      c.hasDefault,
      c.primary,
    ]),
    primaryKeys: config.primaryKeys.map((key) => key.columns.map(nameOf)),
    indexes: config.indexes.map(({ config: index }) => [index.name, index.unique, index.columns.map(nameOf)]),
    foreignKeys: config.foreignKeys.map((key) => {
      const { columns, foreignTable, foreignColumns } = key.reference();
      return [columns.map(nameOf), getTableName(foreignTable), foreignColumns.map(nameOf), key.onDelete];
    }),
  };
}

const tables = Object.entries<unknown>(sqlite).map(([name, table]) => ({ name, table }));

describe("the product's schemas", () => {
  test("rows have the same type on both engines (checked by tsc)", () => {
    expectTypeOf<Rows<typeof sqlite, "$inferSelect">>().toEqualTypeOf<Rows<typeof postgres, "$inferSelect">>();
    expectTypeOf<Rows<typeof sqlite, "$inferInsert">>().toEqualTypeOf<Rows<typeof postgres, "$inferInsert">>();
  });

  test("have the same tables", () => {
    expect(Object.keys(postgres)).toEqual(Object.keys(sqlite));
  });

  test.each(tables)(
    "$name: columns, keys and indexes agree, and the prefix keeps it apart from Gatehouse's tables",
    ({ name, table }) => {
      const shape = shapeOf(table);
      expect(shapeOf(new Map<string, unknown>(Object.entries(postgres)).get(name))).toEqual(shape);
      expect(shape.name).toMatch(/^product_/);
    },
  );
});

test.each(engines)("the product's migrations make every table on $name, each with its columns", async ({ open }) => {
  const database = await open({ further: migrations });
  try {
    expect(await database.schema()).toEqual({ kind: "current", missing: [] });
    for (const table of Object.values(tablesOf(database.db)))
      expect(await database.db.select().from(table)).toEqual([]);
  } finally {
    await database.close();
  }
});
