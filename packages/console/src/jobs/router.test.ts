import { claimJobs } from "@gatehouse/db/stores/jobs/job-claims";
import { buryJob, retryJob } from "@gatehouse/db/stores/jobs/job-outcomes";
import { addJobs } from "@gatehouse/db/stores/jobs/jobs";
import { engines } from "@gatehouse/db/testing/engines";
import { beforeEach, describe, expect, test } from "vitest";
import { type Installation, NOON, openInstallation } from "../testing/callers.ts";

describe.each(engines)("jobs on $name", (engine) => {
  let it: Installation;
  beforeEach(async () => {
    it = await openInstallation(engine);
    return () => it.close();
  });

  const SOON = 9_999_999_999 - NOON;
  const CENTURY = 100 * 365 * 86_400;
  let claims = 0;

  const claim = () =>
    claimJobs(it.deps.db, { queue: "mail", limit: 10, leaseToken: `t${++claims}`, leaseSeconds: CENTURY });
  async function add(...ids: string[]): Promise<void> {
    const jobs = ids.map((id) => ({
      id,
      queue: "mail",
      payload: { to: "ada@example.com" },
      createdAt: NOON,
      runAt: 1,
    }));
    await addJobs(it.deps.db, jobs);
  }
  /** Adds a job, and lets its first attempt fail. */
  async function fail(id: string, final: boolean, orderKey: string | null = null): Promise<void> {
    const { db } = it.deps;
    await addJobs(db, [{ id, queue: "mail", orderKey, payload: {}, createdAt: NOON, runAt: 1 }]);
    for (const job of await claim()) {
      if (final) await buryJob(db, job, "gone");
      else await retryJob(db, job, { error: "answered 500", seconds: SOON });
    }
  }

  test("OP-23 an admin sees pending and dead jobs, without their payloads", async () => {
    await fail("waiting", false);
    await fail("dead", true);
    await add("due");
    const { jobs } = it.as("admin");
    const pending = await jobs.list({});
    expect(pending).toMatchObject([
      { id: "due", queue: "mail", state: "due", attempts: 0, lastError: null, deadAt: null, createdAt: NOON },
      { id: "waiting", state: "waiting", attempts: 1, lastError: "answered 500" },
    ]);
    expect(JSON.stringify(pending)).not.toContain("ada@example.com");
    expect(await jobs.list({ state: "dead" })).toMatchObject([{ id: "dead", state: "dead", lastError: "gone" }]);
    expect(await jobs.list({ queue: "another" })).toEqual([]);
    expect(await jobs.list({ limit: 1 })).toHaveLength(1);
    await expect(jobs.list({ limit: 501 })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });

  test("a retried job is due, with all its attempts, also if it was dead", async () => {
    await fail("dead", true);
    await fail("waiting", false);
    const { jobs } = it.as("admin");
    await jobs.retry({ id: "dead" });
    await jobs.retry({ id: "waiting" });
    expect((await claim()).map(({ id, attempts }) => [id, attempts]).sort()).toEqual([
      ["dead", 1],
      ["waiting", 1],
    ]);
  });

  test("a dropped job is gone; a running one can be neither dropped nor retried", async () => {
    await fail("waiting", false);
    await add("running");
    await claim();
    const { jobs } = it.as("admin");
    expect(await jobs.list({})).toMatchObject(
      expect.arrayContaining([expect.objectContaining({ id: "running", state: "running" })]),
    );
    await expect(jobs.drop({ id: "running" })).rejects.toMatchObject({ code: "CONFLICT" });
    await expect(jobs.retry({ id: "running" })).rejects.toMatchObject({ code: "CONFLICT" });
    await jobs.drop({ id: "waiting" });
    expect((await jobs.list({})).map(({ id }) => id)).toEqual(["running"]);
    for (const call of [jobs.drop, jobs.retry])
      await expect(call({ id: "waiting" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test.each([
    ["pending", "dead"],
    ["handled", "handled"], // by a person who ran it again
  ] as const)("the event of a dropped handler job is given up if it is %s: then it is %s", async (before, after) => {
    const { db } = it.deps;
    const { tables } = db;
    const key = Buffer.alloc(16, 7);
    await db
      .insert(tables.webhookEvents)
      .values({ endpoint: "stripe", key, deliveryId: "d", receivedAt: NOON, state: before });
    const payload = {
      endpoint: "stripe",
      deliveryId: "d",
      eventKey: key.toString("base64url"),
      handler: "invoice.paid",
    };
    await addJobs(it.deps.db, [{ id: "handler", queue: "webhook", payload, createdAt: NOON, runAt: 1 }]);
    await it.as("admin").jobs.drop({ id: "handler" });
    expect(await db.select({ state: tables.webhookEvents.state }).from(tables.webhookEvents)).toEqual([
      { state: after },
    ]);
  });

  test("the next job of a key runs once the one before it was dropped", async () => {
    await fail("a", false, "key");
    await addJobs(it.deps.db, [{ id: "b", queue: "mail", orderKey: "key", payload: {}, createdAt: NOON, runAt: 1 }]);
    expect(await claim()).toEqual([]);
    await it.as("admin").jobs.drop({ id: "a" });
    expect(await claim()).toMatchObject([{ id: "b" }]);
  });

  test("other roles see and change nothing", async () => {
    await add("a");
    for (const role of ["developer", "viewer", "user"] as const) {
      const { jobs } = it.as(role);
      for (const call of [() => jobs.list({}), () => jobs.retry({ id: "a" }), () => jobs.drop({ id: "a" })])
        await expect(call()).rejects.toMatchObject({ code: "FORBIDDEN" });
    }
  });
});
