import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import { type Database, type OpenOptions, openDatabase } from "../database.ts";
import type { LentDatabase } from "./database-pool.ts";
import { openLent } from "./lent-postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Serves the test databases of a run; see `setup.ts`. */
    testDatabases: string;
  }
}

/** An engine under test. `open` gives a migrated database without rows, which `close` ends. */
export type TestEngine = { name: "sqlite" | "postgres"; open(options?: TestOpenOptions): Promise<TestDatabase> };

export type TestOpenOptions = Omit<OpenOptions, "migrations"> & {
  /**
   * A database that no other test uses, before or afterwards. A test needs one if it changes the schema or settings of
   * the database, or fills it with many rows.
   */
  fresh?: boolean;
};

export type TestDatabase = Database & { url: string };

/** For `describe.each(engines)("… on $name", ({ open }) => …)`. */
export const engines: readonly TestEngine[] = [
  { name: "sqlite", open: openSqlite },
  { name: "postgres", open: openPostgres },
];

/** The URL of a database of the run's PostgreSQL server, whose user can create others. */
export const testServer = () => ask<string>("GET", "/postgres");

let template: Promise<string> | undefined;

async function openSqlite({ fresh: _, ...options }: TestOpenOptions = {}): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-sqlite-"));
  const file = join(folder, "test.db");
  template ??= ask<string>("GET", "/sqlite");
  copyFileSync(await template, file);
  const url = `file:${file}`;
  const database = await openDatabase(url, options);
  // No test cuts the power
  if (database.engine.dialect === "sqlite") database.engine.connection.pragma("synchronous = OFF");
  if (options.further) await database.migrate();
  return closing({ ...database, url }, async () => rmSync(folder, { recursive: true, force: true }));
}

async function openPostgres({ fresh = false, ...options }: TestOpenOptions = {}): Promise<TestDatabase> {
  const lend = (shared: boolean) => ask<LentDatabase>("POST", `/postgres${shared ? "?shared" : ""}`);
  const takeBack = (name: string) => ask<void>("DELETE", `/postgres/${name}`);
  if (!fresh && Object.keys(options).length === 0) return openLent(() => lend(true), takeBack);
  const { name, url } = await lend(false);
  const database = await openDatabase(url, { preparing: "on", ...options });
  if (options.further) await database.migrate();
  return closing({ ...database, url }, () => takeBack(name));
}

function closing(database: TestDatabase, afterwards: () => Promise<void>): TestDatabase {
  return {
    ...database,
    close: async () => {
      await database.close();
      await afterwards();
    },
  };
}

async function ask<Answer>(method: string, path: string): Promise<Answer> {
  const answer = await fetch(inject("testDatabases") + path, { method });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json() as Promise<Answer>;
}
