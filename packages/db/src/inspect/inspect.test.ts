import { readFileSync, writeFileSync } from "node:fs";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { engines, type TestDatabase } from "../testing/engines.ts";
import { NOW } from "../testing/people.ts";
import { checkDatabase } from "./check.ts";
import { databaseSize } from "./size.ts";

describe.each(engines)("a look at the database on $name", ({ name, open }) => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await open({ fresh: true });
    const { db } = database;
    const rows = Array.from({ length: 400 }, (_, at) => ({
      hash: `h${at}`.padEnd(43, "x") as never,
      expiresAt: NOW + at,
    }));
    await db.insert(db.tables.spentIds).values(rows);
  });
  afterEach(() => database.close());

  test("the size of each table and of its indexes, largest first", async () => {
    const { bytes, tables } = await databaseSize(database.url);
    const spent = tables.find(({ table }) => table === "spent_ids");
    expect(spent?.bytes).toBeGreaterThan(400 * 43);
    expect(spent?.indexBytes).toBeGreaterThan(400 * 43);
    expect(tables.map(({ table }) => table)).toEqual(expect.arrayContaining(["access_tokens", "users", "jobs"]));
    const sizes = tables.map((one) => one.bytes + one.indexBytes);
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
    expect(bytes).toBeGreaterThanOrEqual(sizes.reduce((sum, size) => sum + size, 0));
  });

  test("a sound database has no problems, and what was not read is said", async () => {
    const found = await checkDatabase(database.url);
    expect(found.problems).toEqual([]);
    expect(found.unchecked).toEqual(name === "postgres" ? [expect.stringContaining("CREATE EXTENSION amcheck")] : []);
  });
});

describe.each(engines.filter(({ name }) => name === "sqlite"))("damage on $name", ({ open }) => {
  test("is found", async () => {
    const database = await open({ fresh: true });
    const { db, url } = database;
    const rows = Array.from({ length: 400 }, (_, at) => ({
      hash: `h${at}`.padEnd(43, "x") as never,
      expiresAt: NOW + at,
    }));
    await db.insert(db.tables.spentIds).values(rows);
    if (database.engine.dialect === "sqlite") database.engine.connection.pragma("wal_checkpoint(TRUNCATE)");
    const file = url.slice("file:".length);
    const bytes = readFileSync(file);
    const at = bytes.lastIndexOf("h399xxx");
    bytes.fill(0, at - 400, at);
    writeFileSync(file, bytes);
    expect((await checkDatabase(url)).problems.length).toBeGreaterThan(0);
    await database.close();
  });
});

describe.each(engines.filter(({ name }) => name === "postgres"))("damage on $name", ({ open }) => {
  test("an index that was never finished is found", async () => {
    const database = await open({ fresh: true });
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query("UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'spent_ids_expires_at'::regclass");
    await client.end();
    expect((await checkDatabase(database.url)).problems).toEqual([expect.stringContaining("spent_ids_expires_at")]);
    await database.close();
  });
});
