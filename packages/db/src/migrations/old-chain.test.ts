import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { withFile } from "../backup/file.ts";
import { restoreFile } from "../backup/restore.ts";
import { type Database, openDatabase } from "../database.ts";
import { engines, seed, type TestDatabase } from "../testing/index.ts";
import { SchemaError } from "./plan.ts";

/** The names of the old chain, with each engine's hashes. */
const CHAIN = readFileSync(join(import.meta.dirname, "old-chain.txt"), "utf8")
  .trim()
  .split("\n")
  .map((line) => line.split(" "));

const REFUSED = { exitCode: 78, message: expect.stringMatching(/older than Gatehouse's initial migration.*git checkout \w+`.*`npm start`/) };

describe.each(engines)("a database that was made by the old chain of migrations on $name, OP-61 OP-62", ({ name: engine, open }) => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await open({ fresh: true });
    await seed(database.handle);
  });
  afterEach(() => database.close());

  /** The ledger as the first `length` migrations of the chain left it. */
  async function recordChain(length: number, { handle: _, ...on }: Database = database): Promise<void> {
    await run("DELETE FROM gatehouse_migrations", on);
    for (const [name, sqlite, postgres] of CHAIN.slice(0, length)) {
      const hash = engine === "sqlite" ? sqlite : postgres;
      await run(`INSERT INTO gatehouse_migrations VALUES ('${name}', '${hash}', '${name}', 1)`, on);
    }
  }
  const ledger = async () => (await run("SELECT name FROM gatehouse_migrations ORDER BY name")).map(({ name }) => name);
  async function run(sql: string, { engine: on }: Pick<Database, "engine"> = database): Promise<Record<string, unknown>[]> {
    if (on.dialect === "postgres") return (await on.pool.query(sql)).rows;
    const statement = on.connection.prepare<[], Record<string, unknown>>(sql);
    return statement.reader ? statement.all() : [statement.run()].flatMap(() => []);
  }
  async function expectRefusal(): Promise<void> {
    for (const asked of [database.schema(), database.migrate()]) {
      await expect(asked).rejects.toBeInstanceOf(SchemaError);
      await expect(asked).rejects.toMatchObject(REFUSED);
    }
  }

  test("a complete chain is taken for the initial migration, and no row is touched", async () => {
    const users = await run("SELECT * FROM users ORDER BY id");
    await recordChain(CHAIN.length);
    expect(await database.schema()).toEqual({ kind: "current", missing: [] });
    expect(await ledger()).toHaveLength(CHAIN.length);
    expect(await database.migrate()).toEqual([]);
    expect(await ledger()).toEqual(["0000_initial"]);
    expect(await database.schema()).toEqual({ kind: "current", missing: [] });
    expect(await run("SELECT * FROM users ORDER BY id")).toEqual(users);
  });

  test("an incomplete or changed chain is refused, with the commit that completes it", async () => {
    await recordChain(CHAIN.length - 1);
    await expectRefusal();
    expect(await ledger()).toHaveLength(CHAIN.length - 1);

    await recordChain(CHAIN.length);
    await run("UPDATE gatehouse_migrations SET hash = 'changed' WHERE name = '0007_resource_admission'");
    await expectRefusal();
  });

  test("once the initial migration has changed, a chain is refused for good", async () => {
    await recordChain(CHAIN.length);
    const folder = mkdtempSync(join(tmpdir(), "gatehouse-old-chain-"));
    mkdirSync(join(folder, "meta"));
    writeFileSync(join(folder, "meta/_journal.json"), JSON.stringify({ entries: [{ tag: "0000_initial" }] }));
    writeFileSync(join(folder, "0000_initial.sql"), 'CREATE TABLE "changed" ("id" text PRIMARY KEY NOT NULL);');
    const later = await openDatabase(database.url, { migrations: folder });
    await expect(later.migrate()).rejects.toMatchObject({ exitCode: 78, message: expect.stringMatching(/no upgrade/) });
    await later.close();
    rmSync(folder, { recursive: true });
  });

  test("a database whose migrations are in drizzle's ledger only is refused in the same way", async () => {
    if (engine === "postgres") await run("CREATE SCHEMA drizzle");
    await run(`CREATE TABLE ${engine === "postgres" ? "drizzle." : ""}__drizzle_migrations (hash text NOT NULL, created_at bigint)`);
    await run("DROP TABLE gatehouse_migrations");
    await expectRefusal();
  });

  if (engine === "sqlite")
    test("a backup with the complete chain is restored, one with another is refused and leaves the database alone", async () => {
      const folder = mkdtempSync(join(tmpdir(), "gatehouse-old-chain-"));
      const backup = async (name: string, length: number) => {
        const file = join(folder, name);
        await run(`VACUUM INTO '${file}'`);
        const copy = await openDatabase(file);
        await recordChain(length, copy);
        await copy.close();
        return file;
      };
      const current = join(folder, "current.db");
      const restored = async (file: string) => {
        const prepare = async () => true;
        return restoreFile(file, current, { prepare, keepAs: join(folder, "kept.db"), look: async () => {} });
      };
      const complete = await backup("complete.db", CHAIN.length);
      const incomplete = await backup("incomplete.db", 20);
      await backup("current.db", 0);
      await expect(restored(incomplete)).rejects.toMatchObject(REFUSED);
      const chainOf = (file: string) =>
        withFile(file, "read", async ({ connection }) => connection.prepare("SELECT count(*) FROM gatehouse_migrations").pluck().get());
      expect(await chainOf(current)).toBe(0);
      expect(await restored(complete)).toBe(true);
      expect(await chainOf(current)).toBe(CHAIN.length);
      rmSync(folder, { recursive: true });
    });
});
