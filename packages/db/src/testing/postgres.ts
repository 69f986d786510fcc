import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { openDatabase } from "../database.ts";
import { startPostgresServer } from "./postgres-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Answers GET with a {@link TestServer}; the first request starts it. */
    postgresUrl: string;
  }
}

/** A PostgreSQL server. `template` is a migrated database to copy, if the run started the server itself. */
export type TestServer = { url: string; template: string | null };

type Running = TestServer & { stop: () => Promise<void> };

/**
 * Vitest's global setup: one real PostgreSQL for the whole run, started when the first suite needs it. DATABASE_URL_TEST names a server to
 * use instead, whose user can create databases.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let running: Promise<Running> | undefined;
  const starter = createServer((_request, response) => {
    running ??= startPostgres();
    running.then(
      ({ url, template }) => response.end(JSON.stringify({ url, template } satisfies TestServer)),
      (cause: unknown) => response.writeHead(500).end(String(cause)),
    );
  });
  await new Promise<void>((done) => starter.listen(0, "127.0.0.1", done));
  project.provide("postgresUrl", `http://127.0.0.1:${(starter.address() as AddressInfo).port}/`);

  return async () => {
    starter.closeAllConnections();
    starter.close();
    const server = await running?.catch(() => undefined); // the suite that asked has already failed
    await server?.stop();
  };
}

const TEMPLATE = "gatehouse_template";

async function startPostgres(): Promise<Running> {
  const given = process.env["DATABASE_URL_TEST"];
  if (given) return { url: given, template: null, stop: async () => {} };

  const server = await startPostgresServer();
  const client = new pg.Client({ connectionString: `${server.url}/postgres` });
  try {
    await client.connect();
    await client.query(`CREATE DATABASE ${TEMPLATE}`);
    await client.end();
    const template = await openDatabase(`${server.url}/${TEMPLATE}`);
    await template.migrate();
    await template.close();
  } catch (cause) {
    await server.stop();
    throw cause;
  }
  return { url: `${server.url}/postgres`, template: TEMPLATE, stop: server.stop };
}
