import { existsSync } from "node:fs";
import type { Server } from "node:http";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { vouchForAddresses } from "./server/address.ts";
import { loadAssets } from "./server/assets.ts";
import { type App, startApp } from "./server/deps.ts";
import { closeAll, listen } from "./server/listen.ts";
import { developmentListener, type Listener, mountedListener } from "./server/listener.ts";

const STOP_WITHIN_MS = 8_000;

/** Starts the web server: our routes on a plain Node server, the framework behind them. Ends the process when it cannot. */
async function main(): Promise<void> {
  vouchForAddresses();
  const app = await startApp();
  const { env } = app;
  const folder = appFolder();
  const framework = startFramework(app, folder);
  if (env.dev) await framework.ready();

  const handle = env.dev
    ? developmentListener(app, framework.listener)
    : mountedListener(app, loadAssets(join(folder, "public/assets")), framework.listener);
  const servers = await listen(handle, env.hosts, env.port);
  if (env.dev) for (const server of servers) server.on("upgrade", (await framework.ready()).getUpgradeHandler());

  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void stop(servers, app));
  app.log.info({ issuer: env.issuer, port: env.port }, "listening");
  app.log.flush();
}

/** apps/web, from here or from the bundle below it. */
function appFolder(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  return existsSync(join(here, "package.json")) ? here : dirname(here);
}

/** The framework, prepared when it is first needed. In production that may be never: no page of ours loads a file of its own. */
function startFramework({ env }: App, dir: string) {
  const start = async () => {
    const { default: next } = await import("next");
    const framework = next({ dev: env.dev, dir, hostname: env.hosts[0] ?? "127.0.0.1", port: env.port });
    await framework.prepare();
    return framework;
  };
  let started: ReturnType<typeof start> | undefined;
  const ready = () => (started ??= start());
  const listener: Listener = async (incoming, outgoing) => (await ready()).getRequestHandler()(incoming, outgoing);
  return { ready, listener };
}

let stopping = false;

/** Lets requests that are under way finish, then closes the database. */
async function stop(servers: readonly Server[], app: App): Promise<void> {
  if (stopping) return;
  stopping = true;
  setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
  await closeAll(servers);
  await app.close();
  process.exit(0);
}

await main().catch((error: unknown) => {
  console.error(`Gatehouse cannot start: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
});
