import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { withFile } from "../backup/file.ts";
import { restoreFile } from "../backup/restore.ts";
import { type Database, openDatabase } from "../database.ts";
import { engines, type TestDatabase } from "../testing/engines.ts";
import { isAdditive } from "./additive.ts";
import { SchemaError } from "./plan.ts";
import { findMigrations, type MigrationSource, readMigrations } from "./read.ts";

const table = (name: string) => `CREATE TABLE "${name}" ("id" text PRIMARY KEY NOT NULL);\n`;
const FIRST = ["0000_first", table("first")] as const;
const SECOND = ["0001_second", table("second")] as const;
const THIRD = ["0002_third", table("third")] as const;
const RENAME = ["0001_rename", 'ALTER TABLE "first" RENAME TO "renamed";\n'] as const;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-migrations-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

let releases = 0;
/** A release of the program with these migrations, as a folder. */
function release(...files: (readonly [name: string, sql: string])[]): string {
  const path = join(folder, String(releases++));
  mkdirSync(join(path, "meta"), { recursive: true });
  const entries = files.map(([tag], idx) => ({ idx, tag, breakpoints: true }));
  writeFileSync(join(path, "meta/_journal.json"), JSON.stringify({ entries }));
  for (const [name, sql] of files) writeFileSync(join(path, `${name}.sql`), sql);
  return path;
}

describe.each(engines)("the ledger of migrations on $name, OP-61 OP-62", ({ name: engine, open }) => {
  let database: TestDatabase;
  const opened: Database[] = [];
  beforeAll(async () => {
    database = await open({ fresh: true });
  });
  beforeEach(() => clear(database));
  afterEach(async () => {
    for (const other of opened.splice(0)) await other.close();
  });
  afterAll(() => database.close());

  /** The program of a release, on the database of this test. */
  async function program(...files: (readonly [name: string, sql: string])[]): Promise<Database> {
    const one = await openDatabase(database.url, { migrations: release(...files) });
    opened.push(one);
    return one;
  }

  async function tables(): Promise<string[]> {
    const found = await query(
      database,
      engine === "sqlite"
        ? "SELECT name FROM sqlite_master WHERE type = 'table'"
        : "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'",
    );
    return found
      .map(({ name }) => String(name))
      .filter((name) => !name.includes("migrations"))
      .sort();
  }

  async function expectRefusal(one: Database, asked: "schema" | "migrate", words: RegExp): Promise<void> {
    const before = await tables();
    const refusal = await one[asked]().catch((cause: unknown) => cause);
    expect(refusal).toBeInstanceOf(SchemaError);
    expect(refusal).toMatchObject({ exitCode: 78, message: expect.stringMatching(words) });
    expect(await tables()).toEqual(before);
  }

  test("applies each migration once, in order, by name and hash; reading the state changes nothing", async () => {
    const one = await program(FIRST, SECOND);
    expect(await one.schema()).toEqual({ kind: "empty", missing: ["0000_first", "0001_second"] });
    expect(await tables()).toEqual([]);
    expect(await one.migrate()).toEqual(["0000_first", "0001_second"]);
    expect(await one.schema()).toEqual({ kind: "current", missing: [] });
    expect(await one.migrate()).toEqual([]);
    const hash = createHash("sha256").update(SECOND[1]).digest("hex");
    expect(await query(database, "SELECT name, hash FROM gatehouse_migrations ORDER BY name")).toEqual([
      expect.objectContaining({ name: "0000_first" }),
      { name: "0001_second", hash },
    ]);
    expect(await (await program(FIRST, SECOND, THIRD)).schema()).toEqual({ kind: "older", missing: ["0002_third"] });
  });

  test("one that is missing in the middle is applied if it only adds, and rejected otherwise", async () => {
    await (await program(FIRST, THIRD)).migrate();
    expect(await (await program(FIRST, SECOND, THIRD)).migrate()).toEqual(["0001_second"]);
    await expectRefusal(await program(FIRST, RENAME, SECOND, THIRD), "migrate", /0001_rename is missing.*comes last/);
  });

  test("one that was changed after it was applied is rejected", async () => {
    await (await program(FIRST, SECOND)).migrate();
    await expectRefusal(
      await program(FIRST, ["0001_second", table("other")], THIRD),
      "migrate",
      /0001_second was changed/,
    );
    await expectRefusal(await program(FIRST, ["0001_second", table("other")]), "schema", /0001_second was changed/);
  });

  test("before the first release there is no upgrade from another initial migration", async () => {
    await (await program(["0000_initial", table("first")])).migrate();
    for (const asked of ["schema", "migrate"] as const)
      await expectRefusal(await program(["0000_initial", table("second")]), asked, /no upgrade.*empty database/);
  });

  test("nor from the migrations that the initial one replaced, whichever ledger they are in", async () => {
    await (await program(FIRST, SECOND)).migrate();
    const now = await program(["0000_initial", table("now")]);
    for (const asked of ["schema", "migrate"] as const) await expectRefusal(now, asked, /no upgrade.*empty database/);

    await query(database, "DROP TABLE gatehouse_migrations");
    if (engine === "postgres") await query(database, "CREATE SCHEMA drizzle");
    await query(
      database,
      `CREATE TABLE ${engine === "postgres" ? "drizzle." : ""}__drizzle_migrations (hash text NOT NULL)`,
    );
    for (const asked of ["schema", "migrate"] as const) await expectRefusal(now, asked, /no upgrade.*empty database/);
    if (engine === "postgres") await query(database, "DROP SCHEMA drizzle CASCADE");
  });

  if (engine === "sqlite")
    test("a backup that another initial migration made is not restored, and the database stays", async () => {
      const current = join(folder, "current.db");
      const backup = join(folder, "backup.db");
      for (const file of [current, backup]) {
        const one = await openDatabase(file, {
          migrations: release(["0000_initial", table(file === backup ? "old" : "now")]),
        });
        await one.migrate();
        await one.close();
      }
      const restored = restoreFile(backup, current, {
        prepare: async () => true,
        keepAs: join(folder, "kept.db"),
        look: async () => {},
      });
      await expect(restored).rejects.toMatchObject({
        exitCode: 78,
        message: expect.stringMatching(/cannot use the backup.*no upgrade/),
      });
      const tables = "SELECT name FROM sqlite_master WHERE name IN ('old', 'now')";
      expect(
        await withFile(current, "read", async ({ connection }) => connection.prepare(tables).pluck().all()),
      ).toEqual(["now"]);
    });

  test("line endings do not change a migration", async () => {
    await (await program(FIRST)).migrate();
    expect((await (await program(["0000_first", FIRST[1].replaceAll("\n", "\r\n")])).schema()).kind).toBe("current");
  });

  test("OP-65 an older program runs on a newer schema only if its migrations allow it", async () => {
    await (await program(FIRST, SECOND)).migrate();
    const older = await program(FIRST);
    expect(await older.schema()).toEqual({ kind: "newer", missing: [] });
    expect(await older.migrate()).toEqual([]);

    const contract = ["0003_contract", '-- min_program: 0001_second\nDROP TABLE "first";\n'] as const;
    await (await program(FIRST, SECOND, contract)).migrate();
    expect((await (await program(FIRST, SECOND)).schema()).kind).toBe("newer");
    await expectRefusal(older, "schema", /newer than this program.*0003_contract/);

    const breaking = ["0004_breaking", 'DROP TABLE "second";\n'] as const;
    await (await program(FIRST, SECOND, contract, breaking)).migrate();
    await expectRefusal(await program(FIRST, SECOND, contract), "migrate", /newer than this program.*0004_breaking/);
  });

  test("a failing one is rolled back together with those before it", async () => {
    const broken = await program(FIRST, ["0001_broken", `${table("half")}--> statement-breakpoint\nNONSENSE;`]);
    await expect(broken.migrate()).rejects.toThrow();
    expect(await tables()).toEqual([]);
    expect((await broken.schema()).kind).toBe("empty");
  });

  test("a second series has numbers and a ledger of its own, applies after the first, and fails with it", async () => {
    const product = (...files: (readonly [name: string, sql: string])[]) => {
      const made = release(...files);
      const folder = `${made}-product`;
      mkdirSync(folder);
      renameSync(made, join(folder, engine));
      return { folder, ledger: "product_migrations" };
    };
    const start = async (migrations: string, source: MigrationSource) => {
      const one = await openDatabase(database.url, { migrations, further: [source] });
      opened.push(one);
      return one;
    };
    const mine = ["0000_first", table("mine")] as const;

    const broken = await start(release(FIRST), product(["0000_first", "NONSENSE;"]));
    await expect(broken.migrate()).rejects.toThrow();
    expect(await tables()).toEqual([]);

    const one = await start(release(FIRST), product(mine));
    expect(await one.schema()).toEqual({ kind: "empty", missing: ["0000_first", "0000_first"] });
    expect(await one.migrate()).toEqual(["0000_first", "0000_first"]);
    expect(await tables()).toEqual(["first", "mine"]);
    expect((await one.schema()).kind).toBe("current");

    const later = await start(release(FIRST, SECOND), product(mine, ["0001_second", table("more")]));
    expect(await later.schema()).toEqual({ kind: "older", missing: ["0001_second", "0001_second"] });
    expect(await later.migrate()).toEqual(["0001_second", "0001_second"]);
    expect((await one.schema()).kind).toBe("newer");
    expect((await (await start(release(FIRST, SECOND), product())).schema()).kind).toBe("newer");
    await expectRefusal(
      await start(release(FIRST, SECOND), product(["0000_first", table("other")])),
      "schema",
      /0000_first was changed/,
    );
  });

  test("of several programs that start at once one migrates", async () => {
    const starting = await Promise.all(Array.from({ length: 4 }, () => program(FIRST, SECOND)));
    const applied = await Promise.all(starting.map((one) => one.migrate()));
    expect(applied.flat()).toEqual(["0000_first", "0001_second"]);
  });
});

/** Runs one statement on the engine's own connection. */
async function query({ engine }: Database, sql: string): Promise<Record<string, unknown>[]> {
  if (engine.dialect === "postgres") return (await engine.pool.query(sql)).rows;
  const statement = engine.connection.prepare(sql);
  if (statement.reader) return statement.all() as Record<string, unknown>[];
  statement.run();
  return [];
}

/** As a database is before anything ever ran on it. */
async function clear(database: TestDatabase): Promise<void> {
  if (database.dialect === "postgres") {
    await query(database, "DROP SCHEMA public CASCADE; CREATE SCHEMA public");
    return;
  }
  await query(database, "PRAGMA foreign_keys = OFF");
  const found = await query(database, "SELECT name FROM sqlite_master WHERE type = 'table'");
  for (const { name } of found) await query(database, `DROP TABLE "${name}"`);
}

describe("the migrations of this program", () => {
  test("both engines have the same ones", () => {
    const names = (dialect: "sqlite" | "postgres") => readMigrations(findMigrations(dialect)).map(({ name }) => name);
    expect(names("sqlite")).toEqual(names("postgres"));
  });

  test.each<[boolean, string, string[]]>([
    [
      true,
      "a table with its indexes and constraints",
      [
        table("a"),
        'CREATE UNIQUE INDEX "i" ON "a" ("id")',
        'ALTER TABLE "a" ADD CONSTRAINT "c" FOREIGN KEY ("id") REFERENCES "b"("id")',
      ],
    ],
    [
      true,
      "a column that may be left out",
      ["ALTER TABLE `a` ADD `b` text", 'ALTER TABLE "a" ADD COLUMN "c" integer DEFAULT 0 NOT NULL'],
    ],
    [true, "an index", ['CREATE INDEX "i" ON "a" ("id")']],
    [false, "a column that every insert has to give", ['ALTER TABLE "a" ADD COLUMN "b" text NOT NULL']],
    [false, "a unique index on what is there", ['CREATE UNIQUE INDEX "i" ON "a" ("id")']],
    [false, "a constraint on what is there", ['ALTER TABLE "a" ADD CONSTRAINT "c" CHECK ("id" <> \'\')']],
    [false, "data", [table("a"), 'UPDATE "b" SET "id" = 1']],
    [
      false,
      "a table that is rebuilt",
      ["CREATE TABLE `__new_a` (`id` text)", "INSERT INTO `__new_a` SELECT * FROM `a`", "DROP TABLE `a`"],
    ],
  ])("only adding: %s for %s", (additive, _, statements) => expect(isAdditive(statements)).toBe(additive));
});
