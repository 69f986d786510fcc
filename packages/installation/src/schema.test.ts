import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Database, openDatabase } from "@gatehouse/db/database";
import { SchemaError } from "@gatehouse/db/migrations/plan";
import { afterEach, beforeEach, expect, test } from "vitest";
import { migrateOrWait, requireSchema } from "./schema.ts";

const ADDITION = ["0001_second", "CREATE TABLE `second` (`id` text PRIMARY KEY NOT NULL);"] as const;
const FIRST = ["0000_first", "CREATE TABLE `first` (`id` text PRIMARY KEY NOT NULL);"] as const;

let folder: string;
let databases: Database[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-fit-"));
  databases = [];
});
afterEach(async () => {
  for (const database of databases) await database.close();
  rmSync(folder, { recursive: true });
});

/** A release of the program with these migrations, on the database of this test. */
async function release(...files: (readonly [name: string, sql: string])[]): Promise<Database> {
  const migrations = join(folder, String(databases.length));
  mkdirSync(join(migrations, "meta"), { recursive: true });
  const entries = files.map(([tag], at) => ({ idx: at, tag, when: at }));
  writeFileSync(join(migrations, "meta/_journal.json"), JSON.stringify({ entries }));
  for (const [name, sql] of files) writeFileSync(join(migrations, `${name}.sql`), sql);
  const database = await openDatabase(`file:${join(folder, "g.db")}`, { migrations });
  databases.push(database);
  return database;
}

function waiting(mode: "auto" | "check") {
  const seen: string[] = [];
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const onWait = async () => {
    seen.push("waits");
    return async () => void seen.push("goes on");
  };
  return { seen, options: { mode, log, wait: { onWait, checkEveryMs: 5, waitAtMostMs: 30_000 } } };
}

test("OP-62 an empty database is migrated in either mode", async () => {
  for (const mode of ["check", "auto"] as const) {
    const { seen, options } = waiting(mode);
    const database = await release(FIRST);
    await migrateOrWait(database, options);
    expect((await database.schema()).kind).toBe("current");
    expect(seen).toEqual([]);
  }
});

test("OP-62 `auto` migrates an older schema", async () => {
  await (await release(FIRST)).migrate();
  const { seen, options } = waiting("auto");
  const newer = await release(FIRST, ADDITION);
  await migrateOrWait(newer, options);
  expect((await newer.schema()).kind).toBe("current");
  expect(seen).toEqual([]);
});

test("OP-62 `check` leaves an older schema alone, and continues as soon as somebody else has migrated", async () => {
  await (await release(FIRST)).migrate();
  const { seen, options } = waiting("check");
  const newer = await release(FIRST, ADDITION);
  const fits = migrateOrWait(newer, options);
  await expect.poll(() => seen).toEqual(["waits"]);
  expect((await newer.schema()).kind).toBe("older");
  await (await release(FIRST, ADDITION)).migrate();
  await fits;
  expect(seen).toEqual(["waits", "goes on"]);
});

test("OP-62 `check` gives up with exit code 75 and what to run", async () => {
  await (await release(FIRST)).migrate();
  const { seen, options } = waiting("check");
  const refusal = await migrateOrWait(await release(FIRST, ADDITION), {
    ...options,
    wait: { ...options.wait, waitAtMostMs: 20 },
  }).catch((cause: unknown) => cause);
  expect(refusal).toBeInstanceOf(SchemaError);
  expect(refusal).toMatchObject({ exitCode: 75, message: expect.stringMatching(/0001_second.*gatehouse migrate/) });
  expect(seen).toEqual(["waits", "goes on"]);
});

test("OP-62 a newer, compatible schema is left alone", async () => {
  await (await release(FIRST, ADDITION)).migrate();
  const older = await release(FIRST);
  await migrateOrWait(older, waiting("auto").options);
  expect((await older.schema()).kind).toBe("newer");
});

test("OP-62 a command does not wait for an older schema, and creates one only where it is told to", async () => {
  const empty = await release(FIRST);
  await expect(requireSchema(empty, { create: false })).rejects.toThrow(/no installation in this database/);
  expect((await empty.schema()).kind).toBe("empty");
  await requireSchema(empty, { create: true });
  await requireSchema(empty, { create: false });

  const newer = await release(FIRST, ADDITION);
  const { options } = waiting("check");
  for (const command of [
    () => requireSchema(newer, { create: true }),
    () => migrateOrWait(newer, { ...options, wait: undefined }),
  ])
    await expect(command()).rejects.toMatchObject({
      exitCode: 78,
      message: expect.stringMatching(/0001_second.*gatehouse -- migrate/),
    });
  expect((await newer.schema()).kind).toBe("older");
});
