import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { apply } from "../../e2e/harness/gatehouse.ts";
import { freePort } from "../../e2e/harness/processes.ts";
import { startPostgresServer } from "../../packages/db/src/testing/postgres-server.ts";
import { API_SCOPE, SERVICE, STRIPE_SECRET, USER, WEB, WEB_SCOPE } from "../fixture.ts";
import { ROOT, startPinned, temporaryFolder } from "../processes.ts";
import type { Running, Subject } from "../subject.ts";
import { openMint } from "./gatehouse-mint.ts";
import { waitUntilReady } from "./wait-until-ready.ts";

const FIXTURE = {
  users: [{ email: USER.email, name: USER.name, password: USER.password }],
  applications: [
    {
      name: "Bench service",
      environments: {
        production: {
          client_id: SERVICE.id,
          client_secret: SERVICE.secret,
          type: "service",
          scopes: [API_SCOPE],
          resource_server: true,
        },
      },
    },
    {
      name: "Bench web",
      environments: {
        production: {
          client_id: WEB.id,
          client_secret: WEB.secret,
          type: "web",
          redirect_uris: [WEB.redirectUri],
          scopes: WEB_SCOPE.split(" "),
        },
      },
    },
  ],
  webhooks: [{ provider: "stripe", secrets: [STRIPE_SECRET] }],
};

const WEB_APP = join(ROOT, "apps/web");

const common = {
  version: versionOf(),
  isOwn: true,
  paths: {
    token: "/token",
    introspection: "/introspect",
    resource: "/api/resource",
    guard: "/api/protected/anything",
    webhook: "/api/webhooks/stripe",
    metadata: "/.well-known/oauth-authorization-server",
    signInPage: "/sign-in",
    consentPage: "/consent",
  },
} as const;

export const gatehouse: Subject = {
  ...common,
  slug: "gatehouse",
  title: "Gatehouse",
  durability: "SQLite WAL, synchronous=FULL, group commit: what was answered is on disk",
  codesPerSecond: 12_000,
  start: (core) => start(core, "sqlite"),
};

export const gatehousePostgres: Subject = {
  ...common,
  slug: "gatehouse-postgres",
  title: "Gatehouse on PostgreSQL",
  durability: "PostgreSQL 18 on the same machine, fsync=on, synchronous_commit=on: what was answered is on disk",
  codesPerSecond: 12_000,
  start: (core) => start(core, "postgres"),
};

/** The built production server, started by the script of apps/web, on a new database with the fixture. */
async function start(core: number, engine: "sqlite" | "postgres", flags: readonly string[] = []): Promise<Running> {
  if (!existsSync(join(WEB_APP, ".next/BUILD_ID"))) throw new Error("apps/web is not built: run `npm run build` first");
  const { folder, remove } = temporaryFolder(`gatehouse-${engine}`);
  const postgres = engine === "postgres" ? await startPostgresServer({ durable: true }) : undefined;
  const port = await freePort();
  const env = {
    NEXT_TELEMETRY_DISABLED: "1",
    PORT: String(port),
    GATEHOUSE_ISSUER: `http://127.0.0.1:${port}`,
    GATEHOUSE_ENV_FILE: "off",
    GATEHOUSE_DATA_DIR: folder,
    GATEHOUSE_SECRET: createHash("sha256").update("only for benchmarks").digest("base64"),
    GATEHOUSE_ADMIN_EMAIL: "admin@example.com",
    GATEHOUSE_ADMIN_PASSWORD: "only for benchmarks",
    DATABASE_URL: postgres ? `${postgres.url}/postgres` : `file:${join(folder, "gatehouse.db")}`,
    PATH: [join(WEB_APP, "node_modules/.bin"), join(ROOT, "node_modules/.bin"), process.env["PATH"]].join(":"),
  };
  await apply(FIXTURE, folder, env);
  const mint = await openMint(env.DATABASE_URL, env.GATEHOUSE_ISSUER, env.GATEHOUSE_SECRET);

  const log = join(folder, "server.log");
  const began = performance.now();
  // The script uses exec, so the process started here is the server.
  const server = startPinned(core, ["sh", "-c", withFlags(scriptOf("start"), flags)], { cwd: WEB_APP, env, log });
  await waitUntilReady(server, port, "/healthz", log);
  const startedInMs = performance.now() - began;
  return {
    pid: server.pid,
    port,
    startedInMs,
    mint: mint.mint,
    async stop() {
      await mint.close();
      await server.stop();
      await postgres?.stop();
      remove();
    },
  };
}

/** On SQLite, writing a CPU profile of each thread into a folder when it ends. */
export const startProfiled = (core: number, folder: string): Promise<Running> =>
  start(core, "sqlite", ["--cpu-prof", `--cpu-prof-dir=${folder}`, "--cpu-prof-interval=250"]);

/** The script with more flags for its `node`. */
const withFlags = (script: string, flags: readonly string[]) =>
  script.replace(/\bnode /, () => ["node", ...flags, ""].join(" "));

function scriptOf(name: string): string {
  const manifest: { scripts: Record<string, string> } = JSON.parse(readFileSync(join(WEB_APP, "package.json"), "utf8"));
  const script = manifest.scripts[name];
  if (script === undefined) throw new Error(`apps/web has no script ${name}`);
  return script;
}

function versionOf(): string {
  return (JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string }).version;
}
