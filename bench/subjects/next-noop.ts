import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../../e2e/harness/processes.ts";
import { installedVersion } from "../installed.ts";
import { BENCH, startPinned, temporaryFolder } from "../processes.ts";
import type { Running, Subject } from "../subject.ts";
import { waitUntilReady } from "./wait-until-ready.ts";

const APP = join(BENCH, "next-noop");
const NEXT = join(BENCH, "node_modules/next/dist/bin/next");
const ENV = { NEXT_TELEMETRY_DISABLED: "1" };

/** The cost of Next itself: route handlers that do nothing, and a static page. */
export const nextNoop: Subject = {
  slug: "next-noop",
  title: "Next, doing nothing",
  version: installedVersion("next"),
  durability: "nothing is stored",
  paths: { signInPage: "/page", consentPage: "/page", noop: "/noop", noopBehindProxy: "/behind-proxy" },
  codesPerSecond: 0,
  start,
};

async function start(core: number): Promise<Running> {
  if (!existsSync(join(APP, ".next/BUILD_ID"))) build();
  const { folder, remove } = temporaryFolder("next-noop");
  const [port, log] = [await freePort(), join(folder, "server.log")];
  const began = performance.now();
  const server = startPinned(core, [process.execPath, NEXT, "start", "-H", "127.0.0.1", "-p", String(port)], {
    cwd: APP,
    env: ENV,
    log,
  });
  await waitUntilReady(server, port, "/noop", log);
  return {
    pid: server.pid,
    port,
    startedInMs: performance.now() - began,
    mint: async () => [],
    async stop() {
      await server.stop();
      remove();
    },
  };
}

function build(): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, [NEXT, "build"], {
    cwd: APP,
    env: { ...process.env, ...ENV },
  });
  if (status !== 0) throw new Error(`next build failed:\n${stdout}${stderr}`);
}
