import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { chown, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { freePort } from "../../harness/processes.ts";
import { childrenOf } from "./processes.ts";

const VERSIONS = "/usr/lib/postgresql";
/** The user that Gatehouse connects as; not a superuser, so no connections are reserved for it. */
const USER = "gatehouse";
const DATABASE = "gatehouse";
const READY_SECONDS = 60;

/** The folder of Debian's newest PostgreSQL; undefined without one. */
export function postgresPrograms(): string | undefined {
  if (!existsSync(VERSIONS)) return undefined;
  const newest = readdirSync(VERSIONS).toSorted((one, other) => Number(other) - Number(one))[0];
  const folder = join(VERSIONS, newest ?? "", "bin");
  return newest !== undefined && existsSync(join(folder, "pg_basebackup")) ? folder : undefined;
}

/** PostgreSQL refuses to run as root, so root runs it as the user that the package made. */
function postgresUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

/** One server of PostgreSQL with its data in a folder, which tests kill, stop, pause and promote. */
export type PostgresServer = {
  port: number;
  folder: string;
  /** Runs a statement as superuser. */
  query(sql: string, database?: string): Promise<pg.QueryResult>;
  isRunning(): boolean;
  start(): Promise<void>;
  /** Ends all connections, as an operator does. */
  stop(mode: "fast" | "immediate"): Promise<void>;
  /** Kills every process of the server at once. */
  kill(): Promise<void>;
  pause(): void;
  resume(): void;
  /** Makes a primary of a standby. */
  promote(): Promise<void>;
  remove(): Promise<void>;
};

/** Synchronous and durable, as in production; checkpoints and vacuum as PostgreSQL has them. */
const SETTINGS = [
  "listen_addresses=127.0.0.1",
  "max_connections=100",
  "wal_level=replica",
  "max_wal_senders=5",
  "wal_keep_size=512MB",
  "hot_standby=on",
  // Commits wait for the standby, which by default looks only every 5 s whether the primary is back.
  "wal_retrieve_retry_interval=500ms",
  "shared_buffers=64MB",
];

/** Creates a primary with an empty database, in `parent` or a new temporary folder. Not yet started. */
export async function newPrimary(parent?: string): Promise<PostgresServer> {
  const server = await serverIn(parent);
  await server.run("initdb", [
    "-D",
    server.data,
    "--username=postgres",
    "--auth=trust",
    "--encoding=UTF8",
    "--locale=C",
  ]);
  return server;
}

/** Creates a standby of `primary` from a base backup. Not yet started. */
export async function newStandby(primary: PostgresServer): Promise<PostgresServer> {
  const server = await serverIn();
  const source = `host=127.0.0.1 port=${primary.port} user=postgres`;
  await server.run("pg_basebackup", ["-D", server.data, "-R", "-X", "stream", "-c", "fast", "-d", source]);
  return server;
}

/** Commits of `primary` wait for its standby from now on, or no longer. */
export async function setSynchronous(primary: PostgresServer, on: boolean): Promise<void> {
  await primary.query(`ALTER SYSTEM SET synchronous_standby_names = '${on ? "*" : ""}'`);
  await primary.query("SELECT pg_reload_conf()");
}

/** Creates the user and database of Gatehouse. */
export async function createDatabase(primary: PostgresServer): Promise<void> {
  await primary.query(`CREATE ROLE ${USER} LOGIN`);
  await primary.query(`CREATE DATABASE ${DATABASE} OWNER ${USER}`);
}

/** Gatehouse's database at a port of this machine. */
export const databaseAt = (port: number) => `postgres://${USER}@127.0.0.1:${port}/${DATABASE}`;

type Server = PostgresServer & { data: string; run(program: string, args: string[]): Promise<void> };

async function serverIn(parent?: string): Promise<Server> {
  const bin = postgresPrograms() ?? "";
  const user = postgresUser();
  const folder = parent ?? (await mkdtemp(join(tmpdir(), "gatehouse-ops-postgres-")));
  if (user) await chown(folder, user.uid, user.gid);
  const data = join(folder, "data");
  const port = await freePort();
  let server: ChildProcess | undefined;
  const killWithUs = () => signalAll("SIGKILL");
  process.once("exit", killWithUs);

  const run = async (program: string, args: string[]) => {
    await promisify(execFile)(join(bin, program), args, { cwd: folder, ...user });
  };

  function signalAll(name: NodeJS.Signals): void {
    const { pid } = server ?? {};
    if (pid === undefined || !isRunning()) return;
    for (const one of [...childrenOf(pid).map((child) => child.pid), pid]) {
      try {
        process.kill(one, name);
      } catch {
        // It has ended already.
      }
    }
  }
  const isRunning = () => server !== undefined && server.exitCode === null && server.signalCode === null;

  async function ended(): Promise<void> {
    if (server && isRunning()) await once(server, "exit");
  }

  async function query(sql: string, database = "postgres"): Promise<pg.QueryResult> {
    const client = new pg.Client({
      host: "127.0.0.1",
      port,
      user: "postgres",
      database,
      connectionTimeoutMillis: 5_000,
    });
    client.on("error", () => {});
    await client.connect();
    try {
      return await client.query(sql);
    } finally {
      await client.end();
    }
  }

  return {
    port,
    folder,
    data,
    run,
    query,
    isRunning,
    async start() {
      const settings = [...SETTINGS, `unix_socket_directories=${folder}`];
      const args = ["-D", data, "-p", String(port), ...settings.flatMap((setting) => ["-c", setting])];
      server = spawn(join(bin, "postgres"), args, { cwd: folder, stdio: ["ignore", "ignore", "pipe"], ...user });
      await ready(server);
    },
    async stop(mode) {
      if (isRunning()) server?.kill(mode === "fast" ? "SIGINT" : "SIGQUIT");
      await ended();
    },
    async kill() {
      signalAll("SIGKILL");
      await ended();
    },
    pause: () => signalAll("SIGSTOP"),
    resume: () => signalAll("SIGCONT"),
    promote: () => run("pg_ctl", ["promote", "-D", data, "-w"]),
    async remove() {
      process.off("exit", killWithUs);
      signalAll("SIGKILL");
      await ended();
      if (parent === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Resolves when the server accepts connections; rejects with its log if it ends before. */
function ready(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = "";
    const late = setTimeout(() => reject(new Error(`PostgreSQL is not ready:\n${log}`)), READY_SECONDS * 1000);
    server.stderr?.on("data", (chunk: Buffer) => {
      log = (log + chunk.toString()).slice(-8_000);
      if (!/ready to accept (read-only )?connections/.test(log)) return;
      clearTimeout(late);
      resolve();
    });
    server.once("exit", () => {
      clearTimeout(late);
      reject(new Error(`PostgreSQL ended:\n${log}`));
    });
  });
}
