import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { engines, type TestDatabase } from "../testing/engines.ts";
import { problemsOf } from "./check.ts";
import { lockOf } from "./locks.ts";
import { migratePostgres } from "./postgres.ts";
import { type Preview, previewPostgres, previewSqlite } from "./preview.ts";
import { type Dialect, findMigrations, type Migration, readMigrations, type Series } from "./read.ts";
import { migrateSqlite } from "./sqlite.ts";

// Migrations of one release after another, on tables with rows and beside requests. The ledger: migrate.test.ts.

const ROWS = 2_500;
const BREAK = "\n--> statement-breakpoint\n";
const FIRST = ["0000_first", 'CREATE TABLE "people" ("id" integer PRIMARY KEY NOT NULL, "name" text)'] as const;
const EXPAND = ["0001_expand", '-- phase: expand\nALTER TABLE "people" ADD COLUMN "greeting" text'] as const;
const BATCH = `UPDATE people SET greeting = 'Hello ' || name
  WHERE id IN (SELECT id FROM people WHERE greeting IS NULL ORDER BY id LIMIT 1000)`;
const BACKFILL = ["0002_backfill", `-- phase: backfill\n${BATCH}`] as const;
const CONTRACT = [
  "0003_contract",
  '-- phase: contract\n-- min_program: 0001_expand\nALTER TABLE "people" DROP COLUMN "name"',
] as const;

type File = readonly [name: string, sql: string];

let folder: string;
let releases = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-phases-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function read(...files: readonly File[]): Migration[] {
  const path = join(folder, String(releases++));
  mkdirSync(join(path, "meta"), { recursive: true });
  const entries = files.map(([tag], idx) => ({ idx, tag }));
  writeFileSync(join(path, "meta/_journal.json"), JSON.stringify({ entries }));
  for (const [name, sql] of files) writeFileSync(join(path, `${name}.sql`), sql);
  return readMigrations(path);
}
const seriesOf = (...files: readonly File[]): Series[] => [{ ledger: "phases_migrations", migrations: read(...files) }];

describe.each(engines)("migrations in phases on $name", ({ name: engine, open }) => {
  let database: TestDatabase;
  const clients: pg.Client[] = [];
  beforeAll(async () => {
    database = await open({ fresh: true });
  });
  afterAll(() => database.close());
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.end();
  });
  beforeEach(async () => {
    for (const table of ["people", "n", "phases_migrations", "phases_migrations_progress"])
      await query(`DROP TABLE IF EXISTS ${table}`);
    await migrate(FIRST);
    await query(
      `INSERT INTO people (id, name) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS}) SELECT i, 'p' || i FROM n`,
    );
  });

  async function query(sql: string): Promise<Record<string, unknown>[]> {
    if (database.engine.dialect === "postgres") return (await database.engine.pool.query(sql)).rows;
    const statement = database.engine.connection.prepare(sql);
    if (statement.reader) return statement.all() as Record<string, unknown>[];
    statement.run();
    return [];
  }
  const count = async (where: string) =>
    Number((await query(`SELECT count(*) AS count FROM people WHERE ${where}`))[0]?.["count"]);

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    clients.push(client);
    return client;
  }

  async function migrate(...files: readonly File[]): Promise<string[]> {
    if (database.engine.dialect === "sqlite") return migrateSqlite(database.engine.connection, seriesOf(...files));
    return migratePostgres(await connect(), seriesOf(...files), { pauseMs: 5 });
  }

  test("OP-60 a change in three phases: added, filled in, removed", async () => {
    expect(await migrate(FIRST, EXPAND, BACKFILL)).toEqual(["0001_expand", "0002_backfill"]);
    expect(await count("greeting = 'Hello p' || id")).toBe(ROWS);
    expect(await migrate(FIRST, EXPAND, BACKFILL, CONTRACT)).toEqual(["0003_contract"]);
    await expect(query("SELECT name FROM people")).rejects.toThrow();
    expect(await migrate(FIRST, EXPAND, BACKFILL, CONTRACT)).toEqual([]);
  });

  test("OP-63 a backfill that was interrupted continues with what is left, and counts as applied at its end", async () => {
    await migrate(FIRST, EXPAND);
    // It fails in the third batch, as if it were killed there.
    const fails = engine === "sqlite" ? "json('broken')" : "(1 / (id - id))::text";
    const broken = `UPDATE people SET greeting = CASE WHEN id > 2000 THEN ${fails} ELSE 'Hello ' || name END
      WHERE id IN (SELECT id FROM people WHERE greeting IS NULL ORDER BY id LIMIT 1000)`;
    await expect(migrate(FIRST, EXPAND, ["0002_backfill", `-- phase: backfill\n${broken}`])).rejects.toThrow();
    expect(await count("greeting IS NOT NULL")).toBe(2_000);
    expect(await query("SELECT name FROM phases_migrations WHERE name = '0002_backfill'")).toEqual([]);
    await query("UPDATE people SET greeting = 'kept' WHERE id = 1");
    expect(await migrate(FIRST, EXPAND, BACKFILL)).toEqual(["0002_backfill"]);
    expect(await count("greeting IS NULL")).toBe(0);
    expect(await count("greeting = 'kept'")).toBe(1);
  });

  test("OP-63 a migration of several steps continues after the last one that was done", async () => {
    const two = (second: string) =>
      ["0001_two", `-- phase: backfill\n${BATCH.replaceAll("greeting", "note")}${BREAK}${second}`] as const;
    const column = ["0001_column", 'ALTER TABLE "people" ADD COLUMN "note" text'] as const;
    await expect(migrate(FIRST, column, two("UPDATE nothing SET id = 1"))).rejects.toThrow();
    expect(await count("note IS NULL")).toBe(0);
    await query("UPDATE people SET note = NULL WHERE id = 1"); // a step that is done does not run again
    await migrate(
      FIRST,
      column,
      two("DELETE FROM people WHERE id IN (SELECT id FROM people WHERE id > 100 LIMIT 1000)"),
    );
    expect([await count("note IS NULL"), await count("true")]).toEqual([1, 100]);
  });

  test("OP-64 a preview has each statement with the rows of its table, and changes nothing", async () => {
    const preview = await previewOf(FIRST, EXPAND, BACKFILL, CONTRACT);
    expect(preview.migrations.map(({ name, phase, minProgram }) => [name, phase, minProgram])).toEqual([
      ["0001_expand", "expand", null],
      ["0002_backfill", "backfill", null],
      ["0003_contract", "contract", "0001_expand"],
    ]);
    const [expand, backfill] = preview.migrations.map(({ statements }) => statements[0]);
    expect([expand?.table, expand?.rows, backfill?.rows]).toEqual(["people", ROWS, ROWS]);
    expect([expand?.lock?.lock, backfill?.lock?.lock]).toEqual(
      engine === "postgres" ? ["ACCESS EXCLUSIVE", "ROW EXCLUSIVE"] : [undefined, undefined],
    );
    await expect(query("SELECT greeting FROM people")).rejects.toThrow();
    expect(await migrate(FIRST, EXPAND)).toEqual(["0001_expand"]);
    expect((await previewOf(FIRST, EXPAND)).migrations).toEqual([]);
  });

  /** As the program of a release shows it. */
  async function previewOf(...files: readonly File[]): Promise<Preview> {
    if (database.engine.dialect === "postgres") {
      await query("ANALYZE people");
      return previewPostgres(await connect(), seriesOf(...files));
    }
    const copy = join(folder, `copy-${releases}.db`);
    const preview = previewSqlite(database.engine.connection, seriesOf(...files), copy);
    expect(existsSync(copy)).toBe(false);
    return preview;
  }

  if (engine === "postgres") {
    const INDEX = ["0001_index", 'CREATE INDEX CONCURRENTLY "people_name" ON "people" ("name")'] as const;

    test("OP-63 an index is built while a transaction writes, and one that a failed build left is replaced", async () => {
      await query("CREATE UNIQUE INDEX CONCURRENTLY people_name ON people ((1))").catch(() => {});
      const valid = "SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = 'people_name'::regclass";
      expect(await query(valid)).toEqual([{ valid: false }]);
      expect(await migrate(FIRST, INDEX)).toEqual(["0001_index"]);
      expect(await query(valid)).toEqual([{ valid: true }]);
      expect(await migrate(FIRST, INDEX)).toEqual([]);
    });

    test("OP-63 of several migrators at once, one builds the index and one notes it", async () => {
      const applied = await Promise.all(Array.from({ length: 3 }, () => migrate(FIRST, INDEX)));
      expect(applied.flat()).toEqual(["0001_index"]);
    });

    test("OP-63 a constraint is added without looking at the rows, then validated on its own", async () => {
      const constraint = [
        "0001_constraint",
        `ALTER TABLE "people" ADD CONSTRAINT "has_name" CHECK (name IS NOT NULL) NOT VALID${BREAK}ALTER TABLE "people" VALIDATE CONSTRAINT "has_name"`,
      ] as const;
      expect(await migrate(FIRST, constraint)).toEqual(["0001_constraint"]);
      expect(await query("SELECT convalidated AS valid FROM pg_constraint WHERE conname = 'has_name'")).toEqual([
        { valid: true },
      ]);
    });

    test("OP-63 it waits two seconds for a lock at most, and succeeds when the lock is gone", async () => {
      const other = await connect();
      await other.query("BEGIN; LOCK TABLE people IN ACCESS SHARE MODE");
      const migrating = migrate(FIRST, EXPAND);
      const waiting = "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'people'::regclass";
      await expect.poll(() => query(waiting)).toHaveLength(1);
      // It gave up and released every lock, so what queued behind it runs.
      await expect.poll(() => query(waiting), { interval: 20 }).toHaveLength(0);
      await other.query("COMMIT");
      expect(await migrating).toEqual(["0001_expand"]);
    });
  } else {
    test("OP-64 on SQLite it is tried on a copy: one that would fail fails there, and leaves nothing behind", async () => {
      const { trial } = await previewOf(FIRST, EXPAND, BACKFILL);
      expect(trial?.bytes).toBeGreaterThan(4_096);
      await expect(previewOf(FIRST, ["0001_broken", "NONSENSE;"])).rejects.toThrow(/NONSENSE/);
      expect(readdirSync(folder).filter((file) => file.startsWith("copy-"))).toEqual([]);
      expect(await migrate(FIRST, EXPAND)).toEqual(["0001_expand"]);
    });

    test("OP-63 a rebuild needs 2.2 times the database in free disk, and changes nothing without it", () => {
      const rebuild = ["0001_rebuild", `CREATE TABLE "n" ("id" integer);${BREAK}DROP TABLE "people"`] as const;
      if (database.engine.dialect !== "sqlite") throw new Error("expected SQLite");
      const { connection } = database.engine;
      const size = statSync(connection.name).size;
      const withFree = (bytes: number, ...files: readonly File[]) =>
        migrateSqlite(connection, seriesOf(FIRST, ...files), { freeBytes: () => bytes });
      expect(() => withFree(2.1 * size, rebuild)).toThrow(
        /0001_rebuild rebuilds tables.*2\.2 times.*Nothing was changed/,
      );
      expect(withFree(2.1 * size, EXPAND)).toEqual(["0001_expand"]); // which only adds
      expect(withFree(2.3 * size, EXPAND, ["0002_rebuild", rebuild[1]])).toEqual(["0002_rebuild"]);
    });
  }
});

describe("OP-60 OP-63 what is checked of each migration", () => {
  const problems = (dialect: Dialect, sql: string) =>
    read(FIRST, ["0001_change", sql])
      .slice(1)
      .flatMap((migration) => problemsOf(migration, dialect));

  test.each([
    ["an expand that only adds", '-- phase: expand\nALTER TABLE "a" ADD COLUMN "b" text'],
    ["an index that is built meanwhile", '-- phase: expand\nCREATE INDEX CONCURRENTLY "i" ON "a" ("b")'],
    [
      "a constraint that is validated later",
      `-- phase: expand\nALTER TABLE "a" ADD CONSTRAINT "c" CHECK (b > 0) NOT VALID${BREAK}ALTER TABLE "a" VALIDATE CONSTRAINT "c"`,
    ],
    ["a backfill in batches", `-- phase: backfill\n${BATCH}`],
    [
      "a contract that programs of the release before survive",
      '-- phase: contract\n-- min_program: 0000_first\nDROP TABLE "a"',
    ],
  ])("%s is right", (_, sql) => {
    expect(problems("postgres", sql)).toEqual([]);
  });

  test.each([
    ["an expand that removes", '-- phase: expand\nALTER TABLE "a" DROP COLUMN "b"', "an expand only adds"],
    [
      "an expand that requires",
      '-- phase: expand\nALTER TABLE "a" ADD COLUMN "b" text NOT NULL',
      "an expand only adds",
    ],
    ["a backfill of all rows at once", "-- phase: backfill\nUPDATE a SET b = 1", "at most 1,000 rows at a time"],
    [
      "a backfill that changes the schema",
      '-- phase: backfill\nDROP TABLE "a" -- LIMIT 1',
      "a backfill only changes rows",
    ],
    [
      "a contract that ends the release before",
      '-- phase: contract\nDROP TABLE "a"',
      "a contract names, as min_program",
    ],
    ["a removal without a phase", 'DROP TABLE "a"', "a contract names, as min_program"],
    ["an index that stops writes", '-- phase: expand\nCREATE INDEX "i" ON "a" ("b")', "built CONCURRENTLY"],
    [
      "a constraint that reads the table under its lock",
      '-- phase: contract\n-- min_program: 0000_first\nALTER TABLE "a" ADD CONSTRAINT "c" CHECK (b > 0)',
      "added NOT VALID",
    ],
    [
      "another thing done concurrently",
      '-- phase: contract\n-- min_program: 0000_first\nREINDEX TABLE CONCURRENTLY "a"',
      "concurrently that is not CREATE INDEX",
    ],
    [
      "OP-35 another unique index of a table that can be partitioned",
      '-- phase: expand\nCREATE UNIQUE INDEX CONCURRENTLY "i" ON "access_tokens" ("id")',
      "access_tokens can be partitioned, and cannot have another unique index then",
    ],
    [
      "OP-35 storage parameters of one",
      '-- phase: expand\nALTER TABLE "authorization_codes" SET (fillfactor = 70)',
      "cannot have storage parameters",
    ],
    [
      "OP-35 a foreign key to one",
      '-- phase: expand\nALTER TABLE "a" ADD CONSTRAINT "c" FOREIGN KEY ("b") REFERENCES "public"."webhook_deliveries"("id") NOT VALID',
      "cannot have a foreign key to it",
    ],
  ])("%s is found", (_, sql, problem) => {
    expect(problems("postgres", sql)).toEqual(expect.arrayContaining([expect.stringContaining(problem)]));
  });

  test("a phase that does not exist is refused", () => {
    expect(() => problems("sqlite", "-- phase: shrink\nSELECT 1")).toThrow("The phases are expand, backfill, contract");
  });

  test.each(["sqlite", "postgres"] as const)("the migrations of this program keep to it on %s", (dialect) => {
    expect(readMigrations(findMigrations(dialect)).flatMap((migration) => problemsOf(migration, dialect))).toEqual([]);
  });
});

test.each([
  ['CREATE INDEX CONCURRENTLY "i" ON "a" ("b")', "a", "SHARE UPDATE EXCLUSIVE"],
  ['CREATE UNIQUE INDEX "i" ON "a" USING btree ("b")', "a", "SHARE"],
  ['ALTER TABLE "a" VALIDATE CONSTRAINT "c"', "a", "SHARE UPDATE EXCLUSIVE"],
  ['ALTER TABLE "a" ADD CONSTRAINT "c" FOREIGN KEY ("b") REFERENCES "d"("e")', "a", "SHARE ROW EXCLUSIVE"],
  ['ALTER TABLE "a" DROP COLUMN "b"', "a", "ACCESS EXCLUSIVE"],
  ["-- why\nDROP TABLE IF EXISTS a", "a", "ACCESS EXCLUSIVE"],
  ["UPDATE a SET b = 1", "a", "ROW EXCLUSIVE"],
  ['CREATE TABLE "a" ("b" text)', "a", "none"],
  ["CREATE TRIGGER t AFTER INSERT ON a FOR EACH ROW EXECUTE FUNCTION f()", "a", "SHARE ROW EXCLUSIVE"],
  ["CLUSTER a", undefined, "unknown, counted as ACCESS EXCLUSIVE"],
])("OP-64 %s locks %s: %s", (statement, table, lock) => {
  expect(lockOf(statement)).toMatchObject({ table, lock });
});
