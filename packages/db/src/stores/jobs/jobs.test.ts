import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { engines, type TestDatabase } from "../../testing/engines.ts";
import { claimJobs, hasDueJob } from "./job-claims.ts";
import { buryJob, extendLeases, finishJob, type Job, leaseFence, releaseJobs, retryJob } from "./job-outcomes.ts";
import { addJobs, type NewJob } from "./jobs.ts";

describe.each(engines)("jobs on $name", ({ open }) => {
  let database: TestDatabase;
  let db: TestDatabase["db"];
  beforeEach(async () => {
    database = await open();
    db = database.db;
    return () => database.close();
  });

  let claims = 0;
  const claim = (limit = 10, leaseSeconds = 60) =>
    claimJobs(db, { queue: "mail", limit, leaseToken: `token-${++claims}`, leaseSeconds });
  const job = (id: string, more: Partial<NewJob> = {}): NewJob => ({
    id,
    queue: "mail",
    payload: { to: id },
    createdAt: 1,
    ...more,
  });
  const ordered = (id: string, orderKey: string, more: Partial<NewJob> = {}) => job(id, { orderKey, ...more });
  const idsOf = (jobs: readonly Job[]) => jobs.map(({ id }) => id).sort();
  const one = async (): Promise<Job> => {
    const [claimed, ...others] = await claim();
    if (!claimed || others.length > 0) throw new Error("expected one job");
    return claimed;
  };
  const stored = () => db.select().from(db.tables.jobs);
  const makeDue = (id: string) => db.update(db.tables.jobs).set({ runAt: 0 }).where(eq(db.tables.jobs.id, id));

  test("OP-23 a due job is claimed by one of many workers, with its payload, once", async () => {
    await addJobs(db, [job("a"), job("b"), job("c", { queue: "other" }), job("d", { runAt: 9_999_999_999 })]);
    expect(await hasDueJob(db, "mail")).toBe(true);
    const claimed = (await Promise.all(Array.from({ length: 8 }, () => claim()))).flat();
    expect(idsOf(claimed)).toEqual(["a", "b"]);
    expect(claimed.find(({ id }) => id === "a")).toMatchObject({
      queue: "mail",
      payload: { to: "a" },
      attempts: 1,
      orderKey: null,
    });
    expect(await hasDueJob(db, "mail")).toBe(false);
  });

  test("OP-23 racing workers share many jobs without double work", async () => {
    const ids = Array.from({ length: 200 }, (_, at) => `job-${at}`);
    await addJobs(
      db,
      ids.map((id) => job(id)),
    );
    const claimed: string[] = [];
    await Promise.all(
      Array.from({ length: 6 }, async () => {
        for (;;) {
          const some = await claim(7);
          if (some.length === 0) return;
          claimed.push(...idsOf(some));
        }
      }),
    );
    expect(claimed.sort()).toEqual(ids.sort());
  });

  test("adding a job whose id exists does nothing", async () => {
    await addJobs(db, [job("a")]);
    await addJobs(db, [job("a", { payload: "other" })]);
    expect((await one()).payload).toEqual({ to: "a" });
  });

  test("OP-23 a job whose lease ended is claimed again, and the first worker can no longer end, extend or fence it", async () => {
    await addJobs(db, [job("a")]);
    const [first] = await claim(1, 0);
    const second = await one();
    expect(second).toMatchObject({ id: "a", attempts: 2 });
    if (!first) throw new Error("no job");
    expect(await extendLeases(db, [first], 60)).toEqual(new Set());
    expect(await extendLeases(db, [second], 60)).toEqual(new Set(["a"]));
    const mark = db.insert(db.tables.installation).values({ key: "effect", value: "1" });
    expect(await db.guarded(leaseFence(db, first), [mark])).toBe(false);
    expect(await retryJob(db, first, { error: "no", seconds: 0 })).toBe(false);
    expect(await buryJob(db, first, "no")).toBe(false);
    expect(await finishJob(db, first)).toBe(false);
    expect(await db.guarded(leaseFence(db, second), [mark])).toBe(true);
    expect(await finishJob(db, second)).toBe(true);
    expect(await stored()).toEqual([]);
  });

  test("a failed job is due again after its wait; a dead one is kept and never claimed", async () => {
    await addJobs(db, [job("a"), job("b")]);
    const [a, b] = (await claim()).sort((x, y) => (x.id < y.id ? -1 : 1));
    if (!a || !b) throw new Error("no jobs");
    expect(await retryJob(db, a, { error: "timeout", seconds: 0 })).toBe(true);
    expect(await buryJob(db, b, "gone")).toBe(true);
    const again = await one();
    expect(again).toMatchObject({ id: "a", attempts: 2 });
    await retryJob(db, again, { error: "timeout", seconds: 3600 });
    expect(await claim()).toEqual([]);
    expect(await stored()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: "a", lastError: "timeout", deadAt: null, leaseToken: null }),
        expect.objectContaining({ id: "b", lastError: "gone", deadAt: expect.any(Number), leaseToken: null }),
      ]),
    );
  });

  test("OP-72 a released job is due at once, and the attempt does not count", async () => {
    await addJobs(db, [job("a")]);
    await releaseJobs(db, await claim(), 0);
    expect(await one()).toMatchObject({ id: "a", attempts: 1 });
  });

  test("of the jobs with one key one runs at a time, oldest first; other keys and jobs without a key go on", async () => {
    await addJobs(db, [ordered("a1", "A"), ordered("a2", "A"), ordered("a3", "A"), ordered("b1", "B"), job("c")]);
    const first = await claim();
    expect(idsOf(first)).toEqual(["a1", "b1", "c"]);
    expect(await claim()).toEqual([]);
    const a1 = first.find(({ id }) => id === "a1");
    if (a1) await finishJob(db, a1);
    const a2 = await one();
    expect(a2.id).toBe("a2");
    await retryJob(db, a2, { error: "no", seconds: 3600 });
    expect(await claim(), "a job that waits for its retry holds back the later ones").toEqual([]);
    await makeDue("a2");
    await buryJob(db, await one(), "no");
    expect(await one(), "a dead job does not").toMatchObject({ id: "a3" });
  });

  test("jobs that wait for their turn do not keep others from running", async () => {
    await addJobs(db, [ordered("a000", "A", { runAt: 1 })]);
    await one();
    const waiting = Array.from({ length: 250 }, (_, at) => ordered(`a${at + 100}`, "A", { runAt: 1 }));
    await addJobs(db, [...waiting, job("z", { runAt: 2 })]);
    expect((await one()).id).toBe("z");
  });

  test("a job that sorts before the running one of its key waits for it", async () => {
    await addJobs(db, [ordered("b", "A")]);
    const b = await one();
    await addJobs(db, [ordered("a", "A")]);
    expect(await claim()).toEqual([]);
    await finishJob(db, b);
    expect(await one()).toMatchObject({ id: "a", attempts: 1 });
  });
});
