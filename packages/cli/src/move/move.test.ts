import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  ADMIN,
  type Installation,
  NOON,
  openInstallation,
  seedApplication,
} from "@gatehouse/console/testing/installation";
import { addWebhookSecret } from "@gatehouse/console/webhook-secrets/webhook-secrets";
import { openDatabase } from "@gatehouse/db/database";
import { insertFact, readFact } from "@gatehouse/db/facts";
import { differences, digestRows, type TableDigests } from "@gatehouse/db/move/copy";
import { openPostgresEnd } from "@gatehouse/db/move/postgres-end";
import { openSqliteEnd } from "@gatehouse/db/move/sqlite-end";
import { engines, type TestDatabase } from "@gatehouse/db/testing/engines";
import { assertNotMoved, MOVED, maintenanceSince, setMaintenance } from "@gatehouse/installation";
import { migrations, schemas } from "@gatehouse/product";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { MoveError, move, undoMove } from "./move.ts";

const quiet = () => {};
const endOf = async (url: string) => (url.startsWith("postgres") ? openPostgresEnd(url) : openSqliteEnd(url.slice(5)));

async function digestsOf(url: string): Promise<TableDigests> {
  const end = await endOf(url);
  try {
    return await digestRows(end, quiet);
  } finally {
    await end.close();
  }
}

describe.each(engines)("OP-55 moving an installation, from $name", (engine) => {
  const other = engine.name === "sqlite" ? "postgres" : "sqlite";
  let it: Installation;
  let url: string;
  let folder: string;
  let target: TestDatabase | undefined;
  beforeEach(async () => {
    it = await openInstallation({ ...engine, open: () => engine.open({ fresh: true }) });
    url = (it.database as TestDatabase).url;
    folder = mkdtempSync(join(tmpdir(), "gatehouse-move-"));
  });
  afterEach(async () => {
    await it.close();
    await target?.close();
    target = undefined;
    rmSync(folder, { recursive: true, force: true });
  });

  const NO_PRODUCT = { migrations: [], schemas: { sqlite: {}, postgres: {} } };
  const source = (product: Parameters<typeof move>[0]["product"] = NO_PRODUCT) => ({
    ...{ database: it.database, url, deps: it.deps },
    product,
  });
  const options = { dryRun: false, settleMs: 0, report: quiet, leave: [] as string[] };
  const run = (to: string, dryRun = false) => move(source(), to, { ...options, dryRun });

  /** An empty database of the other engine. */
  async function emptyTarget(further: typeof migrations = []): Promise<string> {
    if (other === "sqlite") return `file:${join(folder, "new.db")}`;
    target = await engines.find(({ name }) => name === "postgres")?.open({ fresh: true, further });
    if (!target) throw new Error("no PostgreSQL");
    return target.url;
  }

  /** Rows with every kind of value: bytes, booleans, JSON, null, Unicode and text with NUL. */
  async function fill() {
    await seedApplication(it.deps, "Läden & 店 \u{1F3EA}");
    await addWebhookSecret({ provider: "stripe", secret: "whsec_test_0123456789" }, ADMIN, it.deps);
    const { db } = it.deps;
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, at) => at));
    await db.insert(db.tables.installationLogo).values({ id: "logo", type: "image/png", bytes, updatedAt: NOON });
    await insertFact(db, "text", engine.name === "sqlite" ? "a\0b" : "a\uFFFDb");
    const stats = Array.from({ length: 5_010 }, (_, at) => ({
      at,
      environment: "production",
      metric: "m",
      key: "k",
      count: at,
    }));
    for (let from = 0; from < stats.length; from += 500)
      await db.insert(db.tables.statHour).values(stats.slice(from, from + 500) as never);
  }

  test("every row arrives unchanged, and the old database starts nothing any more", async () => {
    await fill();
    const to = await emptyTarget();
    const moved = await run(to);
    expect(moved).toMatchObject({ dry_run: false, rows: expect.any(Number) });
    expect(moved.rows).toBeGreaterThan(5_020);

    const [before, after] = [await digestsOf(url), await digestsOf(to)];
    expect(differences(before, after)).toEqual(["installation"]);
    const opened = await openDatabase(to);
    const { installationLogo, users } = opened.db.tables;
    expect((await opened.db.select().from(installationLogo))[0]?.bytes?.length).toBe(256);
    expect((await opened.db.select().from(users)).length).toBeGreaterThan(3);
    expect(await readFact(opened.db, "text")).toBe("a\uFFFDb");
    expect([await maintenanceSince(opened.db), await readFact(opened.db, MOVED)]).toEqual([undefined, undefined]);
    await assertNotMoved(opened);
    // Its triggers are back: an application gets its row of usage.
    const { applications, applicationUse } = opened.db.tables;
    const used = await opened.db.select().from(applicationUse);
    await opened.db.insert(applications).values({ id: "next", name: "Next", description: "", createdAt: NOON });
    expect(await opened.db.select().from(applicationUse)).toHaveLength(used.length + 1);
    await opened.close();
    await expect(assertNotMoved(it.database)).rejects.toMatchObject({
      exitCode: 78,
      message: /was moved to .*DATABASE_URL/,
    });
    await expect(run(to)).rejects.toThrow("was moved to");
  });

  test("the tables of the product move too, and one that no schema has stops the move unless it stays behind", async () => {
    const database = await openDatabase(url, { further: migrations });
    await database.migrate();
    const { users } = database.db.tables;
    const [ada] = await database.db.select({ id: users.id }).from(users).limit(1);
    const notes = { sqlite: schemas.sqlite.notes, postgres: schemas.postgres.notes };
    const note = { id: "note", userId: ada?.id ?? "", text: "mine", createdAt: NOON };
    await database.db.insert(notes[engine.name] as typeof notes.postgres).values(note);
    await database.close();
    const product = { migrations, schemas };
    const to = await emptyTarget(migrations);
    await expect(run(to, true)).rejects.toThrow(/No schema has the tables.*product_notes.*--leave/);
    await move(source(product), to, options);
    const moved = await openDatabase(to, { further: migrations });
    expect((await moved.schema()).kind).toBe("current");
    expect(await moved.db.select().from(notes[other] as typeof notes.postgres)).toEqual([note]);
    await moved.close();
  });

  test("a dry run changes nothing on either side", async () => {
    await fill();
    const to = await emptyTarget();
    const before = await digestsOf(url);
    expect(await run(to, true)).toMatchObject({ dry_run: true, tables: Object.keys(before).length });
    expect(differences(before, await digestsOf(url))).toEqual([]);
    await assertNotMoved(it.database);
  });

  test("it is taken back as long as nobody used the new database, which then starts nothing", async () => {
    await fill();
    const to = await emptyTarget();
    await run(to);
    await expect(undoMove(source(), "file:/elsewhere.db", quiet)).rejects.toThrow("name that database with --to");
    const opened = await openDatabase(to);
    await insertFact(opened.db, "seal server x", "what a server writes by itself");
    expect(await undoMove(source(), to, quiet)).toMatchObject({ undone: true });
    await assertNotMoved(it.database);
    await expect(assertNotMoved(opened)).rejects.toThrow("was moved to");
    await opened.close();
    await expect(undoMove(source(), to, quiet)).rejects.toThrow(MoveError);
  });

  test("after the first write there it is not taken back", async () => {
    await fill();
    const to = await emptyTarget();
    await run(to);
    const opened = await openDatabase(to);
    const { applications } = opened.db.tables;
    await opened.db.insert(applications).values({ id: "late", name: "Late", description: "", createdAt: NOON });
    await opened.close();
    await expect(undoMove(source(), to, quiet)).rejects.toThrow(/was written to, in applications/);
    await expect(assertNotMoved(it.database)).rejects.toThrow("was moved to");
  });

  test("a database with rows, or the same one, is refused; the installation stays as it is, and in use", async () => {
    await fill();
    const to = await emptyTarget();
    const opened = await openDatabase(to);
    await opened.migrate();
    await insertFact(opened.db, "a fact", "1");
    await opened.close();
    await expect(run(to)).rejects.toThrow("not empty: installation has rows");
    await expect(run(url)).rejects.toThrow("in use");
    expect(await maintenanceSince(it.deps.db)).toBeUndefined();
    await assertNotMoved(it.database);
  });

  test("nobody writes meanwhile, also a server that does not know of the maintenance; others read", async () => {
    const end = await endOf(url);
    const reader = await openDatabase(url);
    const late = insertFact(it.deps.db, "late", "1").then(
      () => "written",
      (error: Error) => error.message,
    );
    expect(await readFact(reader.db, "late")).toBeUndefined();
    await end.close();
    await reader.close();
    expect(["written", expect.stringContaining("write lock")]).toContainEqual(await late);
  });

  test("maintenance that was on before stays on where a move fails", async () => {
    await setMaintenance(true, it.deps);
    await expect(run("postgres://localhost:1/none")).rejects.toThrow("cannot be used");
    expect(await maintenanceSince(it.deps.db)).toBeDefined();
  });
});
