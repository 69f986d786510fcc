import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq, inArray } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openDatabase } from "./database.ts";
import { isUniqueViolation } from "./errors/unique-violation.ts";
import { rowInsert, toWrite } from "./query/prepared.ts";
import { engines, type TestDatabase } from "./testing/engines.ts";

describe("openDatabase", () => {
  test.each(["mysql://root:hunter2@localhost/x", "", "http://localhost/"])(
    "refuses %j and says what to use, without the password",
    async (url) => {
      const refusal = openDatabase(url);
      await expect(refusal).rejects.toThrow(/file:<path>.*postgres:\/\//);
      await expect(refusal).rejects.not.toThrow(/hunter2/);
    },
  );

  test.each([(path: string) => `file:${path}`, (path: string) => `file://${path}`, (path: string) => path])(
    "creates the folder of a SQLite file (%#)",
    async (url) => {
      const folder = mkdtempSync(join(tmpdir(), "gatehouse-open-"));
      const database = await openDatabase(url(join(folder, "deep/er", "g.db")));
      await database.migrate();
      expect(await database.db.select().from(database.db.tables.users)).toEqual([]);
      await database.close();
      rmSync(folder, { recursive: true });
    },
  );

  test("SE-06 a SQLite file and the files beside it are readable by their owner only", async () => {
    const folder = mkdtempSync(join(tmpdir(), "gatehouse-open-"));
    const database = await openDatabase(`file:${join(folder, "data", "g.db")}`);
    await database.migrate();
    const modeOf = (name: string) => (statSync(join(folder, "data", name)).mode & 0o777).toString(8);
    expect(["", "g.db", "g.db-wal"].map(modeOf)).toEqual(["700", "600", "600"]);
    await database.close();
    rmSync(folder, { recursive: true });
  });

  test("a path where no file can be created is reported with what to set", async () => {
    await expect(openDatabase(`file:${import.meta.filename}/g.db`)).rejects.toThrow(
      /database file cannot be opened.*GATEHOUSE_DATA_DIR/,
    );
  });

  test("a PostgreSQL server that does not answer is named in the error, without the password", async () => {
    const database = await openDatabase("postgres://gate:hunter2@127.0.0.1:1/x");
    const refusal = database.migrate();
    await expect(refusal).rejects.toThrow(/DATABASE_URL \(127\.0\.0\.1:1\).*ECONNREFUSED/);
    await expect(refusal).rejects.not.toThrow(/hunter2/);
    await database.close();
  });

  test("SQLite is durable by its settings: WAL, synchronous=FULL, foreign keys on", async () => {
    const database = await openDatabase(":memory:");
    const folder = mkdtempSync(join(tmpdir(), "gatehouse-open-"));
    const file = await openDatabase(join(folder, "g.db"));
    if (file.engine.dialect !== "sqlite") throw new Error("expected SQLite");
    const pragma = file.engine.connection.pragma.bind(file.engine.connection);
    expect([pragma("journal_mode", { simple: true }), pragma("synchronous", { simple: true })]).toEqual(["wal", 2]);
    expect([pragma("foreign_keys", { simple: true }), pragma("busy_timeout", { simple: true })]).toEqual([1, 250]);
    await Promise.all([database.close(), file.close()]);
    rmSync(folder, { recursive: true });
  });
});

describe.each(engines)("a database on $name", ({ open }) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  const fact = (key: string) => database.db.insert(database.db.tables.installation).values({ key, value: "1" });

  test("migrates once if several processes start at once; migrating again changes nothing", async () => {
    const others = await Promise.all(Array.from({ length: 5 }, () => openDatabase(database.url)));
    await Promise.all(others.map((other) => other.migrate()));
    await Promise.all(others.map((other) => other.close()));
  });

  test("once it resolves, a write is seen by the next read and by other connections", async () => {
    await fact("seen");
    const other = await openDatabase(database.url);
    const { installation } = other.db.tables;
    expect(await other.db.select().from(installation).where(eq(installation.key, "seen"))).toEqual([
      { key: "seen", value: "1" },
    ]);
    await other.close();
  });

  test("of writes that share a commit, a failing one does not affect the others", async () => {
    const outcomes = await Promise.allSettled([fact("a"), fact("a"), fact("b")]);
    expect(outcomes.map((outcome) => outcome.status).sort()).toEqual(["fulfilled", "fulfilled", "rejected"]);
    const refused = outcomes.find((outcome) => outcome.status === "rejected");
    expect(isUniqueViolation(refused?.reason)).toBe(true);
    expect(isUniqueViolation(new Error("other"))).toBe(false);
  });

  test("the writes of a transaction are all or none", async () => {
    const { transaction } = database.db;
    await expect(transaction([fact("c"), fact("c")])).rejects.toThrow();
    const { installation } = database.db.tables;
    expect(await database.db.select().from(installation).where(eq(installation.key, "c"))).toEqual([]);
  });

  test("a transaction that fails midway is undone, and nothing else of its commit", async () => {
    const { transaction, spend } = database.db;
    await fact("d");
    const outcomes = await Promise.allSettled([
      transaction([fact("e"), fact("d")]),
      transaction([fact("f"), fact("g")]),
      spend(toWrite(fact("h").returning()), [
        rowInsert(database.db, database.db.tables.installation, { key: "d", value: "2" }),
      ]),
      fact("i"),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "rejected", "fulfilled"]);
    const { installation } = database.db.tables;
    const kept = await database.db
      .select()
      .from(installation)
      .where(inArray(installation.key, [..."defghi"]));
    expect(kept.map(({ key }) => key).sort()).toEqual(["d", "f", "g", "i"]);
  });

  test("guarded writes happen if the first returns a row, all or none", async () => {
    const { db } = database;
    const { tables, guarded } = db;
    const { installation } = tables;
    const swap = (key: string, value: string) =>
      db.update(installation).set({ value }).where(eq(installation.key, key)).returning();
    await fact("j");
    expect(await guarded(swap("no such", "2"), [fact("k")])).toBe(false);
    expect(await guarded(swap("j", "2"), [fact("l"), swap("l", "3")])).toBe(true);
    expect(await guarded(swap("j", "2"), [])).toBe(true);
    await expect(guarded(swap("j", "4"), [fact("m"), fact("l")])).rejects.toThrow();
    const kept = await db
      .select()
      .from(installation)
      .where(inArray(installation.key, [..."jklm"]));
    expect(kept.map(({ key, value }) => `${key}${value}`).sort()).toEqual(["j2", "l3"]);
  });

  test("a NUL in a value breaks nothing", async () => {
    const { installation } = database.db.tables;
    expect(await database.db.select().from(installation).where(eq(installation.key, "a\0b"))).toEqual([]);
  });

  test("two connections of one process write at once without blocking each other", async () => {
    const other = await openDatabase(database.url);
    const insert = (db: TestDatabase["db"], key: string) =>
      db.insert(db.tables.installation).values({ key, value: "1" });
    await Promise.all(
      Array.from({ length: 40 }, (_, index) => insert(index % 2 ? other.db : database.db, `both-${index}`)),
    );
    await other.close();
  });
});
