import { getTableColumns, getTableName, is } from "drizzle-orm";
import * as pg from "drizzle-orm/pg-core";
import * as lite from "drizzle-orm/sqlite-core";
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from "vitest";
import { engines, type TestDatabase } from "../testing/engines.ts";
import * as postgres from "./postgres/index.ts";
import * as sqlite from "./sqlite/index.ts";

type Rows<Schema, Kind extends "$inferSelect" | "$inferInsert"> = {
  [Name in keyof Schema]: Schema[Name] extends Record<Kind, infer Row> ? Row : never;
};

/** What both dialects must agree on; only the column types are each engine's own. */
function shapeOf(name: string) {
  const [s, p] = [
    new Map<string, unknown>(Object.entries(sqlite)).get(name),
    new Map<string, unknown>(Object.entries(postgres)).get(name),
  ];
  if (!is(s, lite.SQLiteTable) || !is(p, pg.PgTable)) throw new Error(`${name} is not a table in both schemas`);
  return { sqlite: describeTable(s, lite.getTableConfig(s)), postgres: describeTable(p, pg.getTableConfig(p)) };
}

type Config = ReturnType<typeof lite.getTableConfig> | ReturnType<typeof pg.getTableConfig>;
const nameOf = (column: unknown) => (column as { name?: string }).name;

/** PostgreSQL's `bytea` is a custom type to the builder. */
const kindOf = (dataType: string) => (dataType === "custom" ? "buffer" : dataType);

function describeTable(table: lite.SQLiteTable | pg.PgTable, config: Config) {
  return {
    name: config.name,
    columns: Object.entries(getTableColumns(table)).map(([key, c]) => [
      key,
      c.name,
      kindOf(c.dataType),
      c.notNull,
      c.hasDefault,
      c.primary,
      c.isUnique,
    ]),
    primaryKeys: config.primaryKeys.map((key) => key.columns.map(nameOf)),
    indexes: config.indexes.map(({ config: index }) => [index.name, index.unique, index.columns.map(nameOf)]),
    foreignKeys: config.foreignKeys.map((key) => {
      const { columns, foreignTable, foreignColumns } = key.reference();
      return [columns.map(nameOf), getTableName(foreignTable), foreignColumns.map(nameOf), key.onDelete];
    }),
  };
}

describe("schema parity", () => {
  test("rows have the same type on both engines (checked by tsc)", () => {
    expectTypeOf<Rows<typeof sqlite, "$inferSelect">>().toEqualTypeOf<Rows<typeof postgres, "$inferSelect">>();
    expectTypeOf<Rows<typeof sqlite, "$inferInsert">>().toEqualTypeOf<Rows<typeof postgres, "$inferInsert">>();
  });

  test("both have the same tables", () => {
    expect(Object.keys(postgres)).toEqual(Object.keys(sqlite));
  });

  test("OR-01 room for tenants: of an account's keys only the address, and the id that an import chose, would meet those of another tenant", () => {
    const tables = [
      sqlite.users,
      sqlite.passkeys,
      sqlite.identities,
      sqlite.invitations,
      sqlite.totpSecrets,
      sqlite.recoveryCodes,
      sqlite.sessions,
    ];
    const unique = tables.flatMap((table) => {
      const { name, indexes } = lite.getTableConfig(table);
      return indexes.flatMap(({ config }) =>
        config.unique ? [`${name}: ${config.columns.map(nameOf).join(", ")}`] : [],
      );
    });
    const minted = ["users: webauthn_user_id", "users: picture_id", "invitations: hash", "sessions: id"];
    const ofProviders = ["identities: provider, issuer, subject"];
    expect(unique.toSorted()).toEqual(
      [...minted, ...ofProviders, "users: email", "users: external_id", "invitations: email"].toSorted(),
    );
  });

  test.each(Object.keys(sqlite))("%s: columns, nullability, keys and indexes agree", (name) => {
    const shape = shapeOf(name);
    expect(shape.postgres).toEqual(shape.sqlite);
  });
});

describe.each(engines)("the migrations on $name", ({ open }) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  test.each(Object.keys(postgres) as (keyof typeof postgres)[])("%s has every column of the schema", async (name) => {
    expect(await database.db.select().from(database.db.tables[name])).toEqual([]);
  });

  test("D7 an access token is one row in one tree besides PostgreSQL's heap, and no insert looks up another table", async () => {
    const { engine } = database;
    const rows =
      engine.dialect === "sqlite"
        ? engine.connection
            .prepare("SELECT name FROM sqlite_master WHERE tbl_name = 'access_tokens' AND rootpage > 0")
            .all()
        : (await engine.pool.query("SELECT indexname FROM pg_indexes WHERE tablename = 'access_tokens'")).rows;
    expect(rows).toHaveLength(1);
    expect(lite.getTableConfig(sqlite.accessTokens).foreignKeys).toEqual([]);
  });
});
