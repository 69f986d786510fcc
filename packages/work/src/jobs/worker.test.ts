import { randomBytes } from "node:crypto";
import type { Job } from "@gatehouse/db/stores/jobs/job-outcomes";
import { addJobs, type NewJob } from "@gatehouse/db/stores/jobs/jobs";
import { engines, type TestDatabase } from "@gatehouse/db/testing/engines";
import { beforeEach, describe, expect, test } from "vitest";
import { JobFailure, JobPostponed, PROCESS_ENDED, type Queue } from "./queue.ts";
import { createWorker, type Worker } from "./worker.ts";

/** Something that a test waits for. */
function event(): { happened: Promise<void>; happen: () => void } {
  let happen = () => {};
  const happened = new Promise<void>((resolve) => {
    happen = resolve;
  });
  return { happened, happen };
}

const eventually = <Value>(read: () => Value) => expect.poll(read, { timeout: 15_000 });

describe.each(engines)("a worker on $name", ({ open }) => {
  let database: TestDatabase;
  let workers: Worker[];
  let logged: { message: string; fields: object }[];
  beforeEach(async () => {
    database = await open();
    workers = [];
    logged = [];
    return async () => {
      await Promise.all(workers.map((worker) => worker.stop(0)));
      await database.close();
    };
  });

  const LONG = 9_999_999_999;
  const job = (id: string, more: Partial<NewJob> = {}): NewJob => ({
    id,
    queue: "mail",
    payload: id,
    createdAt: 1,
    ...more,
  });
  const add = (...jobs: NewJob[]) => addJobs(database.db, jobs);
  const stored = () => database.db.select().from(database.db.tables.jobs);
  const log = (fields: object, message: string) => void logged.push({ message, fields });

  function start(queue: Partial<Queue> & Pick<Queue, "run">): Worker {
    const mail: Queue = { concurrency: 5, timeoutSeconds: 30, maxAttempts: 3, backoff: () => 0, ...queue };
    const deps = { db: database.db, random: (length: number) => randomBytes(length), log: { warn: log, error: log } };
    const worker = createWorker({ ...deps, pollMs: 20, heartbeatMs: 100 });
    workers.push(worker);
    worker.start({ mail });
    return worker;
  }

  /** A queue whose `run` ends when the test says so. */
  function gated() {
    const begun: Job[] = [];
    const signals: AbortSignal[] = [];
    const first = event();
    const gate = event();
    const run: Queue["run"] = async (one, { signal }) => {
      begun.push(one);
      signals.push(signal);
      first.happen();
      await gate.happened;
    };
    return { begun, signals, run, begin: first.happened, open: gate.happen };
  }

  test("OP-23 runs a job once, although several workers look for it, and deletes it", async () => {
    const ran: unknown[] = [];
    for (let at = 0; at < 3; at++) start({ run: async ({ payload }) => void ran.push(payload) });
    await add(job("a"), job("b"), job("c", { queue: "another" }));
    for (const worker of workers) worker.wake("mail");
    await eventually(stored).toMatchObject([{ id: "c" }]);
    expect(ran.sort()).toEqual(["a", "b"]);
  });

  test("runs as many jobs at once as the queue allows, and then the others", async () => {
    const gate = event();
    let [running, most, done] = [0, 0, 0];
    const run = async () => {
      most = Math.max(most, ++running);
      if (running === 2) gate.happen();
      await gate.happened;
      running -= 1;
      done += 1;
    };
    await add(...Array.from({ length: 9 }, (_, at) => job(`job-${at}`)));
    start({ run, concurrency: 2 });
    await eventually(stored).toEqual([]);
    expect({ most, done }).toEqual({ most: 2, done: 9 });
  });

  test("runs the jobs of one key one after the other, oldest first", async () => {
    const order: string[] = [];
    let running = 0;
    const run = async ({ id }: Job) => {
      running += 1;
      order.push(`${id} ${running}`);
      await new Promise(setImmediate);
      running -= 1;
    };
    const ids = Array.from({ length: 20 }, (_, at) => `job-${String(at).padStart(2, "0")}`);
    await add(...ids.map((id) => job(id, { orderKey: "cus_1" })));
    start({ run });
    start({ run });
    await eventually(stored).toEqual([]);
    expect(order).toEqual(ids.map((id) => `${id} 1`));
  });

  test("tries a failed job again, and keeps one that failed too often with its last error", async () => {
    const attempts: number[] = [];
    await add(job("a"));
    start({
      run: async ({ attempts: count }) => {
        attempts.push(count);
        throw new Error(`failure ${count}`);
      },
    });
    await eventually(async () => (await stored())[0]?.deadAt).toBeTypeOf("number");
    expect(attempts).toEqual([1, 2, 3]);
    expect(await stored()).toMatchObject([{ lastError: "failure 3", attempts: 3, leaseToken: null }]);
    expect(logged.map(({ message }) => message)).toEqual([
      "a job failed and will be retried",
      "a job failed and will be retried",
      "a job failed for the last time",
    ]);
    expect(JSON.stringify(logged), "payloads can hold secrets").not.toContain("payload");
  });

  test("OP-23 a job is not started more often than allowed, although its process ended each time; what waits for it learns of its burial", async () => {
    const { installation } = database.db.tables;
    await add(job("a"));
    await database.db.update(database.db.tables.jobs).set({ attempts: 3, leaseToken: "a process that is gone" });
    let ran = 0;
    start({
      run: async () => void ran++,
      whenBuried: ({ id }, cause) => [database.db.insert(installation).values({ key: `buried ${id}`, value: cause })],
    });
    await eventually(async () => (await stored())[0]?.deadAt).toBeTypeOf("number");
    expect(ran).toBe(0);
    expect(await stored()).toMatchObject([{ lastError: PROCESS_ENDED, leaseToken: null }]);
    expect(await database.db.select().from(installation)).toContainEqual({ key: "buried a", value: PROCESS_ENDED });
  });

  test("a postponed job runs later, and none of its attempts is spent", async () => {
    const attempts: number[] = [];
    await add(job("a"));
    start({
      run: async ({ attempts: count }) => {
        attempts.push(count);
        if (attempts.length < 4) throw new JobPostponed("not now", { seconds: 0 });
      },
    });
    await eventually(stored).toEqual([]);
    expect(attempts).toEqual([1, 1, 1, 1]);
    expect(logged).toEqual([]);
  });

  test("a failure can say when to retry, or that it is final", async () => {
    await add(job("later"), job("never"));
    start({
      run: async ({ id }) => {
        throw new JobFailure(id, { retryInSeconds: id === "later" ? 3600 : null });
      },
    });
    const outcome = async () =>
      (await stored()).map(({ id, lastError, deadAt }) => [id, lastError, deadAt !== null]).sort();
    await eventually(outcome).toEqual([
      ["later", "later", false],
      ["never", "never", true],
    ]);
  });

  test("ends the wait for a job that ignores its time limit, and counts the attempt as failed", async () => {
    const { run, signals } = gated();
    await add(job("a"));
    start({ run, timeoutSeconds: () => 0, maxAttempts: 1 });
    await eventually(stored).toMatchObject([{ id: "a", deadAt: expect.any(Number), lastError: "not done after 0 s" }]);
    expect(signals[0]?.aborted).toBe(true);
  });

  test("OP-23 the heartbeat keeps a job that runs longer than its lease", async () => {
    const { run, begun, begin, open: finish } = gated();
    await add(job("a"));
    const worker = start({ run });
    await begin;
    const [{ runAt: claimedUntil } = { runAt: LONG }] = await stored();
    await eventually(async () => (await stored())[0]?.runAt ?? 0).toBeGreaterThan(claimedUntil);
    finish();
    await eventually(stored).toEqual([]);
    expect(begun).toHaveLength(1);
    await worker.stop(0);
  });

  test("OP-23 a job whose worker died runs elsewhere when its lease ends; what the first one still does has no effect", async () => {
    const { run, signals, begin } = gated();
    await add(job("a"));
    start({ run });
    await begin;
    // The worker's row is taken over, as if the process had been paused past its lease.
    await database.db.update(database.db.tables.jobs).set({ leaseToken: "another worker" });
    await eventually(() => signals[0]?.aborted).toBe(true);
    expect(await stored()).toMatchObject([{ id: "a", leaseToken: "another worker", lastError: null }]);
  });

  test("OP-72 a worker that drains claims nothing and finishes what runs", async () => {
    const { run, begun, begin, open: finish } = gated();
    await add(job("a"));
    const worker = start({ run });
    await begin;
    worker.drain();
    await add(job("b"));
    worker.wake("mail");
    finish();
    await worker.stop(15_000);
    expect(begun).toHaveLength(1);
    expect(await stored()).toMatchObject([{ id: "b", attempts: 0 }]);
  });

  test("OP-72 a stop aborts the signal, and gives up a job that goes on: another worker starts it at once", async () => {
    const { run, signals, begin } = gated();
    await add(job("a"));
    const worker = start({ run });
    await begin;
    await worker.stop(0);
    expect(signals[0]?.aborted).toBe(true);
    expect(await stored()).toMatchObject([{ id: "a", attempts: 0, leaseToken: null }]);
    const again = gated();
    start({ run: again.run });
    await again.begin;
    again.open();
    await eventually(stored).toEqual([]);
  });

  test("OP-72 a job that ends because of its signal is given up, not counted as failed", async () => {
    const begun = event();
    await add(job("a"));
    const worker = start({
      run: async (_, { signal }) => {
        begun.happen();
        await new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      },
    });
    await begun.happened;
    await worker.stop(15_000);
    expect(await stored()).toMatchObject([{ id: "a", attempts: 0, leaseToken: null, lastError: null }]);
    expect(logged).toEqual([]);
  });
});
