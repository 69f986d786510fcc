import { expect, test } from "vitest";
import { isReady, openJobs } from "../harness/killed-workers.ts";

// One kill, on PostgreSQL; crash-server.test.ts kills a server on SQLite. Many of both, on both engines, are in the
// files *.full.test.ts.

/** A slow process must not lose its task. */
const LEASE_SECONDS = 10;

test("OP-22 OP-23 when a worker is killed, another one does its jobs and its scheduled task; every job takes effect exactly once", async () => {
  const it = await openJobs("postgres", LEASE_SECONDS);
  try {
    const workers = [it.startWorker(), it.startWorker()];
    await expect.poll(() => workers.every(isReady), { timeout: 60_000 }).toBe(true);
    await expect.poll(it.begun, { timeout: 60_000 }).toHaveLength(1);
    const killed = Number(await it.holder());
    const added = await it.add(100);
    await expect.poll(async () => (await it.effects()).size, { timeout: 60_000, interval: 10 }).toBeGreaterThan(0);
    process.kill(killed, "SIGKILL");
    await expect.poll(it.begun, { timeout: 60_000 }).toHaveLength(2);
    expect(await it.holder()).not.toBe(String(killed));
    expect(await it.begun()).toContain(`begun by ${await it.holder()}`);
    await it.expectOnce(added);
  } finally {
    await it.close();
  }
}, 180_000);
