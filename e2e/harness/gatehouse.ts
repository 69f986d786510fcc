import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Database, openDatabase } from "@gatehouse/db/database";
import { apply } from "./commands.ts";
import { type Engine, openDatabases } from "./databases.ts";
import { freePort, type Running } from "./processes.ts";
import { createDatabase, findShared, isInRun } from "./run.ts";
import { SETTINGS, startConsole, startWeb } from "./servers.ts";

export { apply, gatehouse, gatehouseText, ROOT } from "./commands.ts";
export type { Engine } from "./databases.ts";
export { type Mount, startConsole, startWeb } from "./servers.ts";

const EVERYWHERE: readonly Engine[] = ["sqlite", "postgres"];
/** `npm run test:full`: everything, also what costs more than it finds. */
export const FULL = process.env["GATEHOUSE_TEST_FULL"] === "1";
const onNext = process.env["GATEHOUSE_TEST_MOUNT"] === "next";

/**
 * Both engines on our own server: for what both have to prove over HTTP, since it is about concurrent requests or a
 * killed process. The statements themselves run on both engines in the contract tests of `packages/db`. Under
 * `next start` one engine is enough, because the mount does not change the storage.
 */
export const ENGINES: readonly Engine[] = onNext ? ["sqlite"] : EVERYWHERE;
/**
 * For every other file: one of the engines, by turns, so that each kind of endpoint is asked on both.
 * GATEHOUSE_TEST_FULL=1 takes both.
 */
export const SQLITE: readonly Engine[] = FULL ? ENGINES : ["sqlite"];
export const POSTGRES: readonly Engine[] = FULL || onNext ? ENGINES : ["postgres"];
/**
 * Whether any file uses the servers of the run: not where one file runs under `next start`, nor where time is measured.
 */
export const IS_SHARED = (!onNext || FULL) && process.env["GATEHOUSE_TEST_ALONE"] !== "1";
/** The browser tests run on one engine at a time: GATEHOUSE_TEST_ENGINE=postgres runs them on PostgreSQL. CO-97. */
export const BROWSER_ENGINE: Engine = process.env["GATEHOUSE_TEST_ENGINE"] === "postgres" ? "postgres" : "sqlite";

export type Gatehouse = {
  issuer: string;
  adminUrl: string;
  env: Record<string, string>;
  /** The end of what its server has printed. */
  output: () => string;
  /** All of what its server prints from now on. */
  watchOutput: () => () => string;
  /** Kills its processes: nobody uses its database after that. */
  stop: () => Promise<void>;
};
/**
 * `more`: a second fixture, applied after the first. `fill`: more rows, before the servers start. `settings`:
 * environment variables that differ from those of the other tests.
 */
export type Start = {
  engine: Engine;
  fixture: object;
  more?: object;
  fill?: (database: Database) => Promise<void>;
  admin?: boolean;
  ports?: readonly [web: number, admin: number];
  settings?: Record<string, string>;
};

/**
 * Starts a built Gatehouse, on free ports unless some are given, over a fresh database that holds `fixture`.
 * `GATEHOUSE_TEST_MOUNT=next` serves it through `next start` instead of our own server.
 */
export async function startGatehouse({
  engine,
  fixture,
  more,
  fill,
  admin = false,
  ports,
  settings,
}: Start): Promise<Gatehouse> {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-e2e-"));
  const fixtures = more ? [fixture, more] : [fixture];
  const running: Running[] = [];
  const databases = isInRun() ? undefined : await openDatabases();
  const stop = async () => {
    await Promise.all(running.map((server) => server.crash()));
    await databases?.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const url = databases ? await databases.create(engine, folder, []) : await createDatabase(engine, folder, fixtures);
    const [webPort, adminPort] = ports ?? [await freePort(), await freePort()];
    const issuer = `http://localhost:${webPort}`;
    const adminUrl = `http://localhost:${adminPort}`;
    const env: Record<string, string> = {
      ...SETTINGS,
      GATEHOUSE_ISSUER: issuer,
      GATEHOUSE_ADMIN_URL: adminUrl,
      GATEHOUSE_DATA_DIR: folder,
      DATABASE_URL: url,
      ...settings,
    };
    if (databases) for (const one of fixtures) await apply(one, folder, env);
    if (fill) await withDatabase(url, fill);
    const start = async (server: Promise<Running>) => void running.push(await server);
    await Promise.all([start(startWeb(env, webPort)), ...(admin ? [start(startConsole(env, adminPort))] : [])]);
    return {
      issuer,
      adminUrl,
      env,
      output: () => running[0]?.output() ?? "",
      watchOutput: () => running[0]?.watchOutput() ?? (() => ""),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * The server of the run that all files without settings of their own share, on this engine. It is started for the first
 * file that asks. Use users and clients that no other file changes.
 */
export const sharedGatehouse = (engine: Engine) =>
  findShared<Omit<Gatehouse, "stop" | "output" | "watchOutput">>(engine);

async function withDatabase(url: string, act: (database: Database) => Promise<void>): Promise<void> {
  const database = await openDatabase(url);
  await act(database);
  await database.close();
}
