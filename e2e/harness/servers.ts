import { existsSync } from "node:fs";
import { join } from "node:path";
import { ROOT, scriptOf, withBinaries } from "./commands.ts";
import { launch, type Running, untilReady } from "./processes.ts";

export type Mount = "own" | "next";
const MOUNT: Mount = process.env["GATEHOUSE_TEST_MOUNT"] === "next" ? "next" : "own";

/** The environment of every installation of the tests; its database and its addresses are missing. */
export const SETTINGS = {
  NODE_ENV: "production",
  NEXT_TELEMETRY_DISABLED: "1",
  GATEHOUSE_ENV_FILE: "off",
  GATEHOUSE_SECRET: "only-for-tests-0123456789-0123456789-0123456789",
  GATEHOUSE_TRUST_PROXY: "1",
  GATEHOUSE_ADMIN_EMAIL: "first-admin@example.com",
  GATEHOUSE_ADMIN_PASSWORD: "first admin of the tests",
  GATEHOUSE_EMAIL_SIGN_IN: "on",
  GATEHOUSE_OPS_PORT: "0", // several servers run at once
};

/** Starts a web process on the database in `env`; several can run in parallel. `folder` has the built app. */
export async function startWeb(
  env: Record<string, string>,
  port: number,
  mount = MOUNT,
  folder = "apps/web",
): Promise<Running> {
  if (folder === "apps/web") demandBuild("web");
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

async function startApp(folder: string, env: Record<string, string>, mount: Mount) {
  // Without exec, `stop` would wait for the shell alone, and the next server could start while this one still answers.
  const script = mount === "next" ? `exec next start -H localhost -p ${env["PORT"]}` : await scriptOf(folder, "start");
  return launch("sh", ["-c", script], { cwd: join(ROOT, folder), env: withBinaries(env, folder) });
}

function demandBuild(app: "web" | "admin"): void {
  const made =
    app === "web"
      ? [".next/BUILD_ID", "dist/server.mjs", "dist/next.mjs", "dist/handlers.mjs", "dist/backup.mjs"]
      : [".next/BUILD_ID"];
  if (!made.every((file) => existsSync(join(ROOT, `apps/${app}`, file))))
    throw new Error(`apps/${app} is not built: run \`npm run build\` first`);
}
