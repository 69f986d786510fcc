import { execFileSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { expectHandledOnce, startSenders } from "../harness/acknowledged.ts";
import { ENGINES, startWeb } from "../harness/gatehouse.ts";
import { newInstallation } from "../harness/installation.ts";
import type { Running } from "../harness/processes.ts";

/** GATEHOUSE_CRASH_KILLS=100 runs the long form. */
const KILLS = Number(process.env["GATEHOUSE_CRASH_KILLS"] ?? 10);
const TIMEOUT = 180_000 + KILLS * 20_000;

/** A serving process that the first process has started, if there are several. */
function someWorker({ child }: Running): number | undefined {
  const lines = execFileSync("ps", ["-eo", "pid=,ppid=,pgid=,args="], { encoding: "utf8" }).trim().split("\n");
  const group = lines.map((line) => line.trim().split(/\s+/)).filter(([, , pgid]) => Number(pgid) === child.pid);
  const servers = group.filter(([pid, ppid]) => group.some(([parent]) => parent === ppid) && Number(pid) !== child.pid);
  const leaves = servers.filter(([pid]) => !group.some(([, ppid]) => ppid === pid));
  const chosen = leaves.length > 1 ? leaves[randomInt(leaves.length)]?.[0] : undefined;
  return chosen === undefined ? undefined : Number(chosen);
}

describe.each(ENGINES.flatMap((engine) => [1, 3].map((processes) => ({ engine, processes }))))(
  "a server on $engine with WEB_CONCURRENCY=$processes that is killed",
  ({ engine, processes }) => {
    test(
      "OP-23 every acknowledged event is handled, and each effect happens exactly once",
      async () => {
        const settings = { WEB_CONCURRENCY: String(processes), GATEHOUSE_JOB_LEASE_SECONDS: "5" };
        const { port, issuer, env, remove } = await newInstallation(engine, settings);
        let server = await startWeb(env, port);
        const senders = startSenders(issuer);
        try {
          for (let kill = 0; kill < KILLS; kill++) {
            const before = senders.acknowledged.length;
            await expect.poll(() => senders.acknowledged.length - before, { timeout: 60_000 }).toBeGreaterThan(10);
            await pause(randomInt(300));
            // A server gives up when a process is killed before it has served, as it would fail again.
            await expect.poll(server.output, { timeout: 60_000 }).toContain('"listening"');
            const worker = kill % 2 === 1 ? someWorker(server) : undefined;
            if (worker !== undefined) process.kill(worker, "SIGKILL");
            else {
              await server.crash();
              server = await startWeb(env, port);
            }
          }
          await senders.end();
          await expectHandledOnce(env["DATABASE_URL"] ?? "", senders.acknowledged);
        } finally {
          await senders.end();
          await server.crash();
          await remove();
        }
      },
      TIMEOUT,
    );
  },
);
