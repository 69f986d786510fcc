import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type App, startApp } from "../app.ts";

const DEFAULTS = {
  GATEHOUSE_ENV_FILE: "off",
  LOG_LEVEL: "silent",
  GATEHOUSE_HANDLERS: "inline",
  GATEHOUSE_ADMIN_PASSWORD: "only for these tests",
};

/** Variables of the environment of the tests that would leak in. */
const OURS = /^(GATEHOUSE_|DATABASE_(URL|DIRECT_URL|POOL|PREPARE)$|(ADMIN_)?PORT$|HOST$|LOG_LEVEL$|WEB_CONCURRENCY$)/;

/**
 * Starts the application that the route modules use, with a database of its own and these variables. A process has one
 * at a time: `close` makes room for the next.
 */
export async function startTestApp(
  variables: Record<string, string> = {},
): Promise<{ app: App; close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-app-"));
  const own = process.env;
  const inherited = { ...own };
  for (const name of Object.keys(inherited)) if (OURS.test(name)) delete inherited[name];
  process.env = { ...inherited, ...DEFAULTS, GATEHOUSE_DATA_DIR: folder, ...variables };
  const end = () => {
    const process_ = globalThis as { gatehouse?: Promise<App>; gatehouseStarted?: App };
    delete process_.gatehouse;
    delete process_.gatehouseStarted;
    process.env = own;
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const app = await startApp();
    return { app, close: () => app.close().finally(end) };
  } catch (error) {
    end();
    throw error;
  }
}
