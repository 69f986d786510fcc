import { afterEach, describe, expect, test } from "vitest";
import { openDatabase } from "../database.ts";
import { engines, type TestDatabase } from "./engines.ts";
import { seed } from "./people.ts";

const opened: TestDatabase[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

describe.each(engines)("test databases on $name", ({ name: engine, open }) => {
  async function opening(options?: Parameters<typeof open>[0]): Promise<TestDatabase> {
    const database = await open(options);
    opened.push(database);
    return database;
  }

  /** Every row of every table. */
  async function contents(database: TestDatabase): Promise<Record<string, unknown[]>> {
    const tables =
      engine === "sqlite"
        ? "SELECT name FROM sqlite_master WHERE type = 'table'"
        : "SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace ORDER BY relname";
    const rows: Record<string, unknown[]> = {};
    for (const { name } of await query(database, tables)) {
      const found = await query(database, `SELECT * FROM "${name}"`);
      rows[String(name)] = found.map(({ applied_at: _, ...row }) => row);
    }
    return rows;
  }

  test("one that is used again has the rows of a migrated one and no others, and counts as before", async () => {
    const first = await opening({ fresh: true });
    await first.migrate();
    const expected = await contents(first);
    for (let round = 0; round < 3; round++) {
      const database = await opening();
      expect(await contents(database)).toEqual(expected);
      expect((await database.schema()).kind).toBe("current");
      await seed(database.db);
      const { totals } = database.db.tables;
      expect(await database.db.select().from(totals)).toHaveLength(3);
      await opened.pop()?.close();
    }
  });

  test("several are open at once", async () => {
    const [one, other] = [await opening(), await opening()];
    await seed(one.db);
    expect(await other.db.select().from(other.db.tables.users)).toEqual([]);
  });

  test("one whose schema was changed, or to which something is connected, is not used again", async () => {
    const changed = await opening();
    await query(changed, 'CREATE TABLE "extra" ("id" text)');
    await opened.pop()?.close();
    const busy = await opening();
    const other = await openDatabase(busy.url);
    await other.schema();
    await opened.pop()?.close();

    const next = await Promise.all(Array.from({ length: 6 }, () => opening()));
    expect(next.map(({ url }) => url)).not.toContain(changed.url);
    expect(next.map(({ url }) => url)).not.toContain(busy.url);
    for (const one of next) expect(Object.keys(await contents(one))).not.toContain("extra");
    await other.close();
  });
});

async function query({ engine }: TestDatabase, sql: string): Promise<Record<string, unknown>[]> {
  if (engine.dialect === "postgres") return (await engine.pool.query(sql)).rows;
  const statement = engine.connection.prepare<[], Record<string, unknown>>(sql);
  if (statement.reader) return statement.all();
  statement.run();
  return [];
}
