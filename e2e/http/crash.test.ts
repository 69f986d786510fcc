import { randomBytes, randomInt } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { addJobs, type Database, openDatabase } from "@gatehouse/db";
import { startPostgresServer } from "@gatehouse/db/testing/postgres";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { ENGINES, type Engine, ROOT } from "../harness/gatehouse.ts";
import { launch, type Running } from "../harness/processes.ts";

/** GATEHOUSE_CRASH_KILLS=300 runs the long form. */
const KILLS = Number(process.env["GATEHOUSE_CRASH_KILLS"] ?? 3);
/** Short: a worker that is slower than that loses its jobs, which is one more way to test them. */
const LEASE_SECONDS = 3;
/** Longer, because a slow process must not lose its task. */
const SCHEDULE_LEASE_SECONDS = 10;
const JOBS_PER_ROUND = 25;
const TIMEOUT = 120_000 + KILLS * 10_000;

const SCENARIOS = ENGINES.flatMap((engine) => [1, 3].map((processes) => ({ engine, processes })));

async function emptyDatabase(engine: Engine): Promise<{ url: string; remove: () => Promise<void> }> {
  if (engine === "postgres") {
    const server = await startPostgresServer();
    return { url: `${server.url}/postgres`, remove: server.stop };
  }
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-crash-"));
  return { url: `file:${join(folder, "crash.db")}`, remove: () => rm(folder, { recursive: true, force: true }) };
}

function startWorker(url: string, leaseSeconds = LEASE_SECONDS): Running {
  const args = ["--import", "tsx", "harness/crash-worker.ts", url, String(leaseSeconds)];
  return launch(process.execPath, args, { cwd: join(ROOT, "e2e"), env: {} });
}

const isReady = ({ output }: Running) => output().includes("ready");

/** The number of effects of each job. */
async function effectsOf({ handle: { db, tables } }: Database): Promise<Map<string, number>> {
  const rows = await db.select().from(tables.statHour).where(eq(tables.statHour.metric, "crash"));
  return new Map(rows.map(({ key, count }) => [key, count]));
}

describe.each(ENGINES)("a scheduled task of four processes on %s", (engine) => {
  test(
    "OP-22 when the process that does it is killed, another one begins it, and no other",
    async () => {
      const { url, remove } = await emptyDatabase(engine);
      const database = await openDatabase(url);
      const workers: Running[] = [];
      const { db, tables } = database.handle;
      const begun = async () => (await db.select({ key: tables.installation.key }).from(tables.installation)).map(({ key }) => key);
      const holder = async () => (await db.select().from(tables.leases))[0]?.holder;
      try {
        await database.migrate();
        for (let at = 0; at < 4; at++) workers.push(startWorker(url, SCHEDULE_LEASE_SECONDS));
        await expect.poll(() => workers.every(isReady), { timeout: 60_000 }).toBe(true);
        await expect.poll(begun, { timeout: 60_000 }).toHaveLength(1);
        process.kill(Number(await holder()), "SIGKILL");
        await expect.poll(begun, { timeout: 60_000 }).toHaveLength(2);
        expect(await begun()).toContain(`begun by ${await holder()}`);
      } finally {
        for (const worker of workers) await worker.crash();
        await database.close();
        await remove();
      }
    },
    TIMEOUT,
  );
});

describe.each(SCENARIOS)("jobs on $engine whose workers are killed, $processes at a time", ({ engine, processes }) => {
  test(
    "OP-23 every job that was added takes effect exactly once, and none is left",
    async () => {
      const { url, remove } = await emptyDatabase(engine);
      const database = await openDatabase(url);
      const workers: Running[] = [];
      try {
        await database.migrate();
        for (let at = 0; at < processes; at++) workers.push(startWorker(url));
        const added: string[] = [];
        for (let round = 0; round < KILLS; round++) {
          const jobs = Array.from({ length: JOBS_PER_ROUND }, (_, at) => {
            const id = `${String(round).padStart(4, "0")}-${String(at).padStart(2, "0")}-${randomBytes(4).toString("hex")}`;
            return { id, queue: "crash", orderKey: at % 2 ? `key-${at % 6}` : null, payload: {}, createdAt: 0 };
          });
          await addJobs(database.handle, jobs);
          added.push(...jobs.map(({ id }) => id));
          const victim = randomInt(processes);
          await expect.poll(() => workers.some(isReady), { timeout: 60_000 }).toBe(true);
          await pause(randomInt(500));
          await workers[victim]?.crash();
          workers[victim] = startWorker(url);
        }
        const { db, tables } = database.handle;
        await expect.poll(() => db.select({ id: tables.jobs.id }).from(tables.jobs), { timeout: 60_000, interval: 200 }).toEqual([]);
        expect([...(await effectsOf(database))].sort()).toEqual(added.map((id) => [id, 1]).sort());
        for (const { output } of workers) expect(output().replaceAll("ready\n", "")).toBe("");
      } finally {
        for (const worker of workers) await worker.crash();
        await database.close();
        await remove();
      }
    },
    TIMEOUT,
  );
});
