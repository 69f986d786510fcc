import { createHash, randomBytes } from "node:crypto";
import { copyFile, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "@gatehouse/db/database";
import { type PostgresServer, startPostgresServer } from "@gatehouse/db/testing/postgres-server";
import { apply } from "./commands.ts";
import { freePort } from "./processes.ts";
import { SETTINGS, startWeb } from "./servers.ts";

export type Engine = "sqlite" | "postgres";

/**
 * Makes the databases of a run. A database that holds fixtures is a copy of a template, which the first request for it
 * makes.
 */
export type Databases = {
  /**
   * The URL of a new database: empty, or with these fixtures, one applied after the other. `folder` is where SQLite's
   * file goes.
   */
  create(engine: Engine, folder: string, fixtures: readonly object[]): Promise<string>;
  /** Ends the run's PostgreSQL, and with it its databases. */
  close(): Promise<void>;
};

/**
 * One PostgreSQL server for all databases of a run, started for the first of them; DATABASE_URL_TEST names a server to
 * use instead, whose user can create databases.
 */
export async function openDatabases(): Promise<Databases> {
  const root = await mkdtemp(join(tmpdir(), "gatehouse-templates-"));
  let server: Promise<Server> | undefined;
  const templates = new Map<string, Promise<string>>();

  async function create(engine: Engine, folder: string, template?: string): Promise<string> {
    if (engine === "postgres") {
      server ??= openServer();
      return (await server).create(template);
    }
    const file = join(folder, "gatehouse.db");
    await mkdir(folder, { recursive: true });
    if (template !== undefined) await copyFile(fileOf(template), file);
    return `file:${file}`;
  }

  /** The same template for all who ask, made once. */
  function templateOf(engine: Engine, fixtures: readonly object[]): Promise<string> {
    const key = `${engine}-${createHash("sha256").update(JSON.stringify(fixtures)).digest("hex")}`;
    const folder = join(root, key);
    const made =
      templates.get(key) ?? (fixtures.length === 0 ? prepared(engine, folder) : filled(engine, folder, fixtures));
    templates.set(key, made);
    return made;
  }

  /**
   * A database as the first start of a server leaves it: migrated, with signing keys, the console's client and the
   * first admin.
   */
  async function prepared(engine: Engine, folder: string): Promise<string> {
    const env = await environment(engine, folder);
    const port = Number(new URL(env.GATEHOUSE_ISSUER).port);
    const web = await startWeb(env, port, "own");
    await web.stop(); // waits for the scheduled work that the start began
    const { db, close } = await openDatabase(env.DATABASE_URL);
    await db.delete(db.tables.leases); // otherwise no copy would do its scheduled work within ten minutes
    await close();
    return env.DATABASE_URL;
  }

  async function filled(engine: Engine, folder: string, fixtures: readonly object[]): Promise<string> {
    const env = await environment(engine, folder, await templateOf(engine, fixtures.slice(0, -1)));
    await apply(fixtures.at(-1) ?? {}, folder, env);
    return env.DATABASE_URL;
  }

  /** What a database contains about the addresses follows the settings at each start, so a copy can have others. */
  async function environment(engine: Engine, folder: string, template?: string) {
    const DATABASE_URL = await create(engine, folder, template);
    const [issuer, admin] = [await freePort(), await freePort()].map((port) => `http://localhost:${port}`);
    return {
      ...SETTINGS,
      GATEHOUSE_ISSUER: issuer ?? "",
      GATEHOUSE_ADMIN_URL: admin ?? "",
      GATEHOUSE_DATA_DIR: folder,
      DATABASE_URL,
    };
  }

  return {
    create: async (engine, folder, fixtures) =>
      create(engine, folder, fixtures.length === 0 ? undefined : await templateOf(engine, fixtures)),
    async close() {
      await (await server?.catch(() => undefined))?.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}

const fileOf = (url: string) => url.slice("file:".length);

type Server = { create(template?: string): Promise<string>; close(): Promise<void> };

async function openServer(): Promise<Server> {
  const given = process.env["DATABASE_URL_TEST"];
  const own: PostgresServer | undefined = given ? undefined : await startPostgresServer();
  const made: string[] = [];
  const url = (name: string) => Object.assign(new URL(given || (own?.url ?? "")), { pathname: `/${name}` }).href;
  const database = await openDatabase(given || url("postgres"), { maxConnections: 2 });
  const run = async (sql: string) => {
    if (database.engine.dialect === "postgres") await database.engine.pool.query(sql);
  };
  return {
    async create(template) {
      const name = `gatehouse_test_${randomBytes(6).toString("hex")}`;
      made.push(name);
      const from = template === undefined ? "" : `TEMPLATE "${new URL(template).pathname.slice(1)}"`;
      await run(`CREATE DATABASE ${name} ${from}`);
      return url(name);
    },
    async close() {
      if (!own) for (const name of made) await run(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      await database.close();
      await own?.stop();
    },
  };
}
