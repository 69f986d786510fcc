import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Database, openDatabase } from "../database.ts";
import { findMigrations } from "../migrations/read.ts";
import type { TestEngine } from "./engines.ts";

/**
 * A database that had the migrations up to `lastBefore` and `rows` (SQL that both engines read), and has every migration now.
 * `close` deletes it.
 */
export async function openMigrated(
  { name, open }: TestEngine,
  { lastBefore, rows }: { lastBefore: string; rows: readonly string[] },
): Promise<Pick<Database, "handle" | "close">> {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-migrations-"));
  const migrations = join(folder, name);
  cpSync(findMigrations(name), migrations, { recursive: true });
  const journalFile = join(migrations, "meta/_journal.json");
  const journal: { entries: { tag: string }[] } = JSON.parse(readFileSync(journalFile, "utf8"));
  const before = journal.entries.slice(0, journal.entries.findIndex(({ tag }) => tag === lastBefore) + 1);
  writeFileSync(journalFile, JSON.stringify({ entries: before }));

  const empty = await open({ fresh: true });
  if (empty.engine.dialect === "postgres") await empty.engine.pool.query("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
  const url = name === "sqlite" ? `file:${join(folder, "old.db")}` : empty.url;
  const old = await openDatabase(url, { migrations });
  await old.migrate();
  for (const row of rows) {
    if (old.engine.dialect === "sqlite") old.engine.connection.exec(row);
    else await old.engine.pool.query(row);
  }
  await old.close();

  const migrated = await openDatabase(url);
  await migrated.migrate();
  return {
    handle: migrated.handle,
    async close() {
      await migrated.close();
      await empty.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
