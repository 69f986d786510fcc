import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, type RequestOptions } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { said } from "../next/messages.ts";
import type { StartEnv } from "../start/env.ts";
import { forkBundle } from "../start/fork-bundle.ts";
import { forward } from "./forward.ts";
import type { NextServer } from "./next-mount.ts";

/** How long the process may take to end. */
const END_WITHIN_MS = 2_000;

type NextProcess = { child: ChildProcess; address: RequestOptions; ended: Promise<unknown> };

/**
 * Next in a process of its own (`apps/web/next-server.ts`), which the first request starts: its AsyncLocalStorage would
 * slow every other path of this one. One that ended is replaced at the next request.
 * docs/decisions/0028-preact-renders-the-pages.md
 */
export function createNextProcess(env: Pick<StartEnv, "settings">): NextServer {
  let running: Promise<NextProcess> | undefined;

  function start(): Promise<NextProcess> {
    const started = startProcess(env);
    const forget = () => {
      if (running === started) running = undefined;
    };
    started.then(({ ended }) => ended.finally(forget)).catch(forget); // the next request tries again
    return started;
  }

  return {
    async listener(incoming, outgoing) {
      running ??= start();
      await forward(incoming, outgoing, (await running).address);
    },
    async close() {
      const next = await running?.catch(() => undefined);
      if (next) await end(next);
    },
  };
}

/** Resolves when it listens. */
async function startProcess(env: Pick<StartEnv, "settings">): Promise<NextProcess> {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-next-")); // of this user alone, since nothing guards its socket
  const socketPath = join(folder, "http");
  const child = forkBundle("next-server.mjs", env, { args: [socketPath], execArgv: ["--max-semi-space-size=4"] });
  const ended = once(child, "exit").finally(() => rmSync(folder, { recursive: true, force: true }));
  const early = ended.then(([code, signal]) =>
    Promise.reject(new Error(`the process of Next ended early: ${signal ?? `exit code ${code}`}`)),
  );
  await Promise.race([said(child, "listening"), early]);
  early.catch(() => {}); // from now on, its end is no error
  return { child, ended, address: { socketPath, agent: new Agent({ keepAlive: true }) } };
}

async function end({ child, ended }: NextProcess): Promise<void> {
  if (child.connected) child.disconnect();
  const late = setTimeout(() => child.kill("SIGKILL"), END_WITHIN_MS);
  await ended;
  clearTimeout(late);
}
