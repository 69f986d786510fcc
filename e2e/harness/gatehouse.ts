import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { type Database, openDatabase } from "@gatehouse/db";
import { startPostgresServer } from "@gatehouse/db/testing/postgres";
import { freePort, launch, type Running, untilReady } from "./processes.ts";

export const ROOT = resolve(import.meta.dirname, "../..");

export type Engine = "sqlite" | "postgres";
/** Both engines on our own server. Under `next start` one is enough, because the mount does not change the storage. */
export const ENGINES: readonly Engine[] = process.env["GATEHOUSE_TEST_MOUNT"] === "next" ? ["sqlite"] : ["sqlite", "postgres"];
/** The browser tests run on one engine at a time: GATEHOUSE_TEST_ENGINE=postgres runs them on PostgreSQL. CO-97. */
export const BROWSER_ENGINE: Engine = process.env["GATEHOUSE_TEST_ENGINE"] === "postgres" ? "postgres" : "sqlite";
export type Gatehouse = {
  issuer: string;
  adminUrl: string;
  env: Record<string, string>;
  /** The process group of the console, if there is one. */
  consoleGroup: number | undefined;
  stop: () => Promise<void>;
};
/** `settings`: environment variables that differ from those of the other tests. `fill`: more rows, before the servers start. */
export type Start = {
  engine: Engine;
  fixture: object;
  fill?: (database: Database) => Promise<void>;
  admin?: boolean;
  ports?: readonly [web: number, admin: number];
  settings?: Record<string, string>;
};

/**
 * Starts a built Gatehouse, on free ports unless some are given, over a fresh database that holds `fixture`.
 * `GATEHOUSE_TEST_MOUNT=next` serves it through `next start` instead of our own server.
 */
export async function startGatehouse({ engine, fixture, fill, admin = false, ports, settings }: Start): Promise<Gatehouse> {
  demandBuild("web");
  if (admin) demandBuild("admin");

  const folder = await mkdtemp(join(tmpdir(), "gatehouse-e2e-"));
  const postgres = engine === "postgres" ? await startPostgresServer() : undefined;
  const [webPort, adminPort] = ports ?? [await freePort(), await freePort()];
  const issuer = `http://localhost:${webPort}`;
  const adminUrl = `http://localhost:${adminPort}`;
  const env = {
    NODE_ENV: "production",
    NEXT_TELEMETRY_DISABLED: "1",
    GATEHOUSE_ISSUER: issuer,
    GATEHOUSE_ADMIN_URL: adminUrl,
    GATEHOUSE_ENV_FILE: "off",
    GATEHOUSE_DATA_DIR: folder,
    GATEHOUSE_SECRET: "only-for-tests-0123456789-0123456789-0123456789",
    GATEHOUSE_TRUST_PROXY: "1",
    GATEHOUSE_ADMIN_EMAIL: "first-admin@example.com",
    GATEHOUSE_ADMIN_PASSWORD: "first admin of the tests",
    GATEHOUSE_EMAIL_SIGN_IN: "on",
    DATABASE_URL: postgres ? `${postgres.url}/postgres` : `file:${join(folder, "gatehouse.db")}`,
    ...settings,
  };

  const running: { stop: () => Promise<void> }[] = [];
  let consoleGroup: number | undefined;
  const stop = async () => {
    for (const server of running.reverse()) await server.stop();
    await postgres?.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await apply(fixture, folder, env);
    if (fill) await withDatabase(env.DATABASE_URL, fill);
    running.push(await startWeb(env, webPort));
    if (admin) {
      const started = await startConsole(env, adminPort);
      running.push(started);
      consoleGroup = started.child.pid;
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return { issuer, adminUrl, env, consoleGroup, stop };
}

async function withDatabase(url: string, act: (database: Database) => Promise<void>): Promise<void> {
  const database = await openDatabase(url);
  await act(database);
  await database.close();
}

export type Mount = "own" | "next";
const MOUNT: Mount = process.env["GATEHOUSE_TEST_MOUNT"] === "next" ? "next" : "own";

/** Starts a web process on the database in `env`; several can run in parallel. `folder` has the built app. */
export async function startWeb(env: Record<string, string>, port: number, mount = MOUNT, folder = "apps/web"): Promise<Running> {
  const web = await startApp(folder, { ...env, PORT: String(port) }, mount);
  await untilReady(`http://localhost:${port}/readyz`, web).catch(async (error: unknown) => {
    await web.stop();
    throw error;
  });
  return web;
}

/** Starts a console for the installation in `env`. */
export async function startConsole(env: Record<string, string>, port: number): Promise<Running> {
  demandBuild("admin");
  const console = await startApp("apps/admin", { ...env, PORT: String(port), ADMIN_PORT: String(port) }, "own");
  await untilReady(`http://localhost:${port}/healthz`, console).catch(async (error: unknown) => {
    await console.stop();
    throw error;
  });
  return console;
}

/** Applies a fixture with the command line, and returns the command's output. */
export async function apply(fixture: object, folder: string, env: Record<string, string>): Promise<unknown> {
  const file = join(folder, "fixture.json");
  await mkdir(folder, { recursive: true });
  await writeFile(file, JSON.stringify(fixture));
  return gatehouse(["apply", file], env);
}

/** Runs the command line on the installation in `env`, and returns its output. */
export async function gatehouse(args: readonly string[], env: Record<string, string>): Promise<unknown> {
  return JSON.parse((await gatehouseText(args, env)).stdout);
}

/** The same for a command whose output is text. Rejects with `code` and the output if the command fails. */
export async function gatehouseText(args: readonly string[], env: Record<string, string>): Promise<{ stdout: string; stderr: string }> {
  const script = await scriptOf(".", "gatehouse");
  return promisify(execFile)("sh", ["-c", `${script} ${args.map((arg) => `'${arg}'`).join(" ")}`], {
    cwd: ROOT,
    env: withBinaries({ ...process.env, ...env }, "."),
  });
}

async function startApp(folder: string, env: Record<string, string>, mount: Mount) {
  // Without exec, `stop` would wait for the shell alone, and the next server could start while this one still answers.
  const script = mount === "next" ? `exec next start -H localhost -p ${env["PORT"]}` : await scriptOf(folder, "start");
  return launch("sh", ["-c", script], { cwd: join(ROOT, folder), env: withBinaries(env, folder) });
}

/** A script of the package, to be run without a package manager, which would swallow signals. */
async function scriptOf(folder: string, name: string): Promise<string> {
  const manifest: { scripts: Record<string, string> } = JSON.parse(await readFile(join(ROOT, folder, "package.json"), "utf8"));
  const script = manifest.scripts[name];
  if (script === undefined) throw new Error(`${folder} has no script ${name}`);
  return script;
}

function withBinaries(env: NodeJS.ProcessEnv, folder: string): Record<string, string> {
  const path = [join(ROOT, folder, "node_modules/.bin"), join(ROOT, "node_modules/.bin"), process.env["PATH"]].join(":");
  return { ...(env as Record<string, string>), PATH: path, INIT_CWD: ROOT };
}

function demandBuild(app: "web" | "admin"): void {
  const made = app === "web" ? [".next/BUILD_ID", "dist/server.mjs", "dist/next.mjs"] : [".next/BUILD_ID"];
  if (!made.every((file) => existsSync(join(ROOT, `apps/${app}`, file))))
    throw new Error(`apps/${app} is not built: run \`npm run build\` first`);
}
