import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { openDatabase } from "../database.ts";
import { createDatabasePool, type DatabasePool } from "./database-pool.ts";

/**
 * Vitest's global setup. It makes the databases of a run and lends them to the workers over HTTP, each engine from the
 * first request for it:
 *
 * - `GET /sqlite` answers with a migrated file to copy.
 * - `GET /postgres` answers with a server, for tests that create databases of their own.
 * - `POST /postgres` lends a migrated database, answering with a `LentDatabase`; with `?shared`, for test after test.
 * - `DELETE /postgres/<name>` returns it, after the last test that used it.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-template-"));
  let template: Promise<string> | undefined;
  let pool: Promise<DatabasePool> | undefined;

  async function answer({ method, url = "/" }: IncomingMessage): Promise<unknown> {
    const { pathname, searchParams } = new URL(url, "http://lender");
    const [, engine, name] = pathname.split("/");
    if (engine === "sqlite") {
      template ??= makeSqliteTemplate(join(folder, "template.db"));
      return template;
    }
    pool ??= createDatabasePool();
    const databases = await pool;
    if (method === "POST") return databases.lend({ shared: searchParams.has("shared") });
    if (method === "DELETE") return databases.takeBack(name ?? "");
    return databases.server;
  }

  const lender = createServer((request, response) => {
    answer(request).then(
      (value) => response.end(JSON.stringify(value ?? null)),
      (cause: unknown) => response.writeHead(500).end(String(cause)),
    );
  });
  await new Promise<void>((done) => lender.listen(0, "127.0.0.1", done));
  project.provide("testDatabases", `http://127.0.0.1:${(lender.address() as AddressInfo).port}`);

  return async () => {
    lender.closeAllConnections();
    lender.close();
    const databases = await pool?.catch(() => undefined); // the suite that asked has already failed
    await databases?.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}

async function makeSqliteTemplate(file: string): Promise<string> {
  const database = await openDatabase(`file:${file}`);
  await database.migrate();
  await database.close();
  return file;
}
