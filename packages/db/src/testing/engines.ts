import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { inject } from "vitest";
import { type Database, openDatabase } from "../database.ts";

/** One engine under test. `open` gives a fresh, migrated database of its own, which `close` also removes. */
export type TestEngine = { name: "sqlite" | "postgres"; open(): Promise<TestDatabase> };

export type TestDatabase = Database & { url: string };

/** For `describe.each(engines)("… on $name", ({ open }) => …)`. */
export const engines: readonly TestEngine[] = [
  { name: "sqlite", open: openSqlite },
  { name: "postgres", open: openPostgres },
];

async function openSqlite(): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-sqlite-"));
  return opened(`file:${join(folder, "test.db")}`, async () => rmSync(folder, { recursive: true, force: true }));
}

async function openPostgres(): Promise<TestDatabase> {
  const answer = await fetch(inject("postgresUrl"));
  const server = await answer.text();
  if (!answer.ok) throw new Error(server);

  const name = `gatehouse_test_${randomBytes(6).toString("hex")}`;
  await run(server, `CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return opened(url.href, () => run(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
}

async function opened(url: string, remove: () => Promise<void>): Promise<TestDatabase> {
  const database = await openDatabase(url);
  await database.migrate();
  return {
    ...database,
    url,
    close: async () => {
      await database.close();
      await remove();
    },
  };
}

async function run(server: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(sql);
  await client.end();
}
