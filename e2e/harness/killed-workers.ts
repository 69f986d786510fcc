import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Database, openDatabase } from "@gatehouse/db/database";
import { addJobs } from "@gatehouse/db/stores/jobs/jobs";
import { eq } from "drizzle-orm";
import { expect } from "vitest";
import type { Engine } from "./databases.ts";
import { ROOT } from "./gatehouse.ts";
import { launch, type Running } from "./processes.ts";
import { createDatabase } from "./run.ts";

/** A database without an installation, and processes that run its jobs (crash-worker.ts), which tests kill. */
export async function openJobs(engine: Engine, leaseSeconds: number) {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-crash-"));
  const url = await createDatabase(engine, folder, []);
  const database = await openDatabase(url);
  await database.migrate();
  const { db } = database;
  const { tables } = db;
  const workers: Running[] = [];

  return {
    workers,
    startWorker(): Running {
      const args = ["--import", "tsx", "harness/crash-worker.ts", url, String(leaseSeconds)];
      const worker = launch(process.execPath, args, { cwd: join(ROOT, "e2e"), env: {} });
      workers.push(worker);
      return worker;
    },
    /** Adds jobs, some of which have to run one after the other. Returns their ids. */
    async add(count: number): Promise<string[]> {
      const round = String(workers.length).padStart(4, "0");
      const jobs = Array.from({ length: count }, (_, at) => {
        const id = `${round}-${String(at).padStart(3, "0")}-${randomBytes(4).toString("hex")}`;
        return { id, queue: "crash", orderKey: at % 2 ? `key-${at % 6}` : null, payload: {}, createdAt: 0 };
      });
      await addJobs(database.db, jobs);
      return jobs.map(({ id }) => id);
    },
    /** Which processes began the scheduled task, and which of them has it. */
    begun: async () =>
      (await db.select({ key: tables.installation.key }).from(tables.installation)).map(({ key }) => key),
    holder: async () => (await db.select().from(tables.leases))[0]?.holder,
    effects: () => effectsOf(database),
    /** Waits until no job is left; then each of these took effect exactly once, and no worker complained. */
    async expectOnce(added: readonly string[]): Promise<void> {
      const left = () => db.select({ id: tables.jobs.id }).from(tables.jobs);
      await expect.poll(left, { timeout: 60_000, interval: 200 }).toEqual([]);
      expect([...(await effectsOf(database))].sort()).toEqual(added.map((id) => [id, 1]).sort());
      for (const { output } of workers) expect(output().replaceAll("ready\n", "")).toBe("");
    },
    async close(): Promise<void> {
      for (const worker of workers) await worker.crash();
      await database.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export const isReady = ({ output }: Running) => output().includes("ready");

/** The number of effects of each job. */
async function effectsOf({ db }: Database): Promise<Map<string, number>> {
  const { tables } = db;
  const rows = await db.select().from(tables.statHour).where(eq(tables.statHour.metric, "crash"));
  return new Map(rows.map(({ key, count }) => [key, count]));
}
