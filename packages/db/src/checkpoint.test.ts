import { mkdtempSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import Sqlite from "better-sqlite3";
import { expect, test } from "vitest";
import { openDatabase } from "./database.ts";

test("D7 with its checkpoints deferred a writer leaves the log alone up to 64 MiB, and nothing is lost from it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-checkpoint-"));
  const file = join(folder, "g.db");
  const database = await openDatabase(file);
  await database.migrate();
  expect(database.deferCheckpoints()).toBe(file);
  if (database.engine.dialect !== "sqlite") throw new Error("expected SQLite");
  expect(database.engine.connection.pragma("wal_autocheckpoint", { simple: true })).toBe(16_384);

  const before = statSync(file).size;
  const { installation } = database.handle.tables;
  const rows = Array.from({ length: 400 }, (_, at) => ({ key: `key-${at}`, value: "x".repeat(20_000) }));
  await Promise.all(rows.map((row) => database.handle.db.insert(installation).values(row)));
  expect(statSync(file).size).toBe(before);

  // As the thread of the server does it, over a connection of its own.
  const code = `require(${JSON.stringify(createRequire(import.meta.url).resolve("better-sqlite3"))})(require("node:worker_threads").workerData).pragma("wal_checkpoint(PASSIVE)")`;
  const thread = new Worker(code, { eval: true, workerData: file });
  await new Promise((resolve, reject) => thread.once("exit", resolve).once("error", reject));
  expect(statSync(file).size).toBeGreaterThan(before + 8_000_000);
  const other = new Sqlite(file, { readonly: true });
  expect(other.prepare("SELECT count(*) FROM installation WHERE key LIKE 'key-%'").pluck().get()).toBe(400);
  other.close();
  await database.close();
  rmSync(folder, { recursive: true });
});
