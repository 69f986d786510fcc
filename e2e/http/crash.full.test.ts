import { randomInt } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { ENGINES } from "../harness/gatehouse.ts";
import { isReady, openJobs } from "../harness/killed-workers.ts";

/** GATEHOUSE_CRASH_KILLS=300 runs the long form. */
const KILLS = Number(process.env["GATEHOUSE_CRASH_KILLS"] ?? 10);
/** Short: a worker that is slower than that loses its jobs, which is one more way to test them. */
const LEASE_SECONDS = 3;
/** Longer, because a slow process must not lose its task. */
const SCHEDULE_LEASE_SECONDS = 10;
const JOBS_PER_ROUND = 25;
const TIMEOUT = 120_000 + KILLS * 10_000;

describe.each(ENGINES)("a scheduled task of four processes on %s", (engine) => {
  test(
    "OP-22 when the process that does it is killed, another one begins it, and no other",
    async () => {
      const it = await openJobs(engine, SCHEDULE_LEASE_SECONDS);
      try {
        const workers = Array.from({ length: 4 }, it.startWorker);
        await expect.poll(() => workers.every(isReady), { timeout: 60_000 }).toBe(true);
        await expect.poll(it.begun, { timeout: 60_000 }).toHaveLength(1);
        process.kill(Number(await it.holder()), "SIGKILL");
        await expect.poll(it.begun, { timeout: 60_000 }).toHaveLength(2);
        expect(await it.begun()).toContain(`begun by ${await it.holder()}`);
      } finally {
        await it.close();
      }
    },
    TIMEOUT,
  );
});

describe.each(ENGINES.flatMap((engine) => [1, 3].map((processes) => ({ engine, processes }))))(
  "jobs on $engine whose workers are killed, $processes at a time",
  ({ engine, processes }) => {
    test(
      "OP-23 every job that was added takes effect exactly once, and none is left",
      async () => {
        const it = await openJobs(engine, LEASE_SECONDS);
        try {
          const running = Array.from({ length: processes }, it.startWorker);
          const added: string[] = [];
          for (let round = 0; round < KILLS; round++) {
            added.push(...(await it.add(JOBS_PER_ROUND)));
            const victim = randomInt(processes);
            await expect.poll(() => running.some(isReady), { timeout: 60_000 }).toBe(true);
            await pause(randomInt(500));
            await running[victim]?.crash();
            running[victim] = it.startWorker();
          }
          await it.expectOnce(added);
        } finally {
          await it.close();
        }
      },
      TIMEOUT,
    );
  },
);
