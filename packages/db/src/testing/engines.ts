import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { inject } from "vitest";
import { type Database, type OpenOptions, openDatabase } from "../database.ts";
import type { TestServer } from "./postgres.ts";

/** An engine under test. `open` creates a migrated database, which `close` deletes. */
export type TestEngine = { name: "sqlite" | "postgres"; open(options?: OpenOptions): Promise<TestDatabase> };

export type TestDatabase = Database & { url: string };

/** For `describe.each(engines)("… on $name", ({ open }) => …)`. */
export const engines: readonly TestEngine[] = [
  { name: "sqlite", open: openSqlite },
  { name: "postgres", open: openPostgres },
];

async function openSqlite(options?: OpenOptions): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-sqlite-"));
  return opened(`file:${join(folder, "test.db")}`, async () => rmSync(folder, { recursive: true, force: true }), options);
}

async function openPostgres(options?: OpenOptions): Promise<TestDatabase> {
  const answer = await fetch(inject("postgresUrl"));
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  const server: TestServer = JSON.parse(text);

  const name = `gatehouse_test_${randomBytes(6).toString("hex")}`;
  await run(server.url, `CREATE DATABASE ${name} ${server.template ? `TEMPLATE ${server.template}` : ""}`);
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  const remove = () => run(server.url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  return opened(url.href, server.template ? async () => {} : remove, options);
}

async function opened(url: string, remove: () => Promise<void>, options?: OpenOptions): Promise<TestDatabase> {
  const database = await openDatabase(url, options);
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
