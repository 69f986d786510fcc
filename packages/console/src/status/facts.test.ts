import { maintainKeys } from "@gatehouse/auth";
import { claimJobs } from "@gatehouse/db/stores/jobs/job-claims";
import { buryJob } from "@gatehouse/db/stores/jobs/job-outcomes";
import { addJobs } from "@gatehouse/db/stores/jobs/jobs";
import { endLease, holdLease } from "@gatehouse/db/stores/jobs/leases";
import { engines } from "@gatehouse/db/testing/engines";
import { beforeEach, describe, expect, test } from "vitest";
import { type Installation, NOON, openInstallation } from "../testing/callers.ts";
import { readFacts } from "./facts.ts";
import { getStatus } from "./status.ts";

describe.each(engines)("OP-79: what the status is made of, on $name", (engine) => {
  let it: Installation;
  beforeEach(async () => {
    it = await openInstallation(engine);
    return () => it.close();
  });

  test("jobs by queue and state, and since when the oldest is due", async () => {
    const { db } = it.deps;
    const job = (id: string, queue: string, runAt: number) => ({ id, queue, payload: {}, createdAt: NOON, runAt });
    await addJobs(db, [job("a", "notice", 1)]);
    for (const one of await claimJobs(db, { queue: "notice", limit: 1, leaseToken: "t", leaseSeconds: 60 }))
      await buryJob(db, one, "gone");
    await addJobs(db, [job("b", "mail", NOON - 30), job("c", "mail", NOON - 10), job("d", "mail", NOON + 60)]);
    const { jobs } = await readFacts(it.deps);
    expect(jobs).toHaveLength(3);
    expect(jobs).toContainEqual({ queue: "mail", state: "due", count: 2, oldestAt: NOON - 30 });
    expect(jobs).toContainEqual({ queue: "mail", state: "waiting", count: 1, oldestAt: NOON + 60 });
    expect(jobs).toContainEqual(expect.objectContaining({ queue: "notice", state: "dead", count: 1 }));
  });

  test("tasks that nobody takes, keys with their age, refusals by cause", async () => {
    const { db } = it.deps;
    await holdLease(db, "sweep", "gone", 30);
    await endLease(db, "sweep", "gone", -200);
    await maintainKeys(it.deps);
    const { tasks, signingKeys, refusals, sweepLag } = await readFacts({ ...it.deps, now: () => NOON + 60 });
    expect(tasks.map(({ name, seconds }) => [name, seconds >= 200 && seconds < 300])).toEqual([["sweep", true]]);
    expect(signingKeys.map(({ ageSeconds }) => ageSeconds)).toEqual(signingKeys.map(() => 60));
    expect(refusals).toEqual([]);
    expect(Object.values(sweepLag).every((seconds) => seconds >= 0)).toBe(true);
  });

  test("a database that cannot be read is the whole status", async () => {
    const reads = Object.assign(Object.create(it.deps.reads), {
      select() {
        throw new Error("gone");
      },
    });
    expect(await getStatus({ ...it.deps, reads })).toMatchObject({
      level: "failed",
      items: [{ name: "database", sentence: "The database cannot be read." }],
    });
  });

  test("the worst item is that of the whole", async () => {
    await holdLease(it.deps.db, "sweep", "gone", 30);
    const well = await getStatus(it.deps);
    expect(well.items.filter(({ level }) => level !== "ok")).toEqual([]);
    expect(well.level).toBe("ok");
    await endLease(it.deps.db, "sweep", "gone", -200);
    const status = await getStatus(it.deps);
    expect(status.level).toBe("failed");
    expect(status.items.filter(({ level }) => level === "failed").map(({ name }) => name)).toEqual(["tasks"]);
  });
});
