import { openDatabase } from "@gatehouse/db/database";
import { endLease, holdLease } from "@gatehouse/db/stores/jobs/leases";
import { engines, type TestDatabase } from "@gatehouse/db/testing/engines";
import { beforeEach, describe, expect, test } from "vitest";
import { createSchedule, type Schedule } from "./schedule.ts";

describe.each(engines)("a schedule on $name", ({ open }) => {
  let database: TestDatabase;
  let schedules: Schedule[];
  let logged: string[];
  beforeEach(async () => {
    database = await open();
    schedules = [];
    logged = [];
    return async () => {
      for (const schedule of schedules) schedule.stop();
      await Promise.all(schedules.map((schedule) => schedule.settled()));
      await database.close();
    };
  });

  const log = (_: object, message: string) => void logged.push(message);
  function schedule(holder: string, db = database.db): Schedule {
    const created = createSchedule({ db, log: { warn: log, error: log }, holder });
    schedules.push(created);
    return created;
  }

  test("OP-22 of four processes one does the work, and nobody repeats it within the period", async () => {
    const others = await Promise.all(Array.from({ length: 3 }, () => openDatabase(database.url)));
    let runs = 0;
    for (const [at, { db }] of [database, ...others].entries())
      schedule(`process ${at}`, db).every(600, "sweep", async () => ++runs);
    await Promise.all(schedules.map((one) => one.settled()));
    expect(runs).toBe(1);
    expect(await holdLease(database.db, "sweep", "a later process", 30)).toBe(false);
    await Promise.all(others.map((other) => other.close()));
  });

  test("OP-22 a process tries again until the lease of one that died is free", async () => {
    await holdLease(database.db, "sweep", "died", 2);
    let runs = 0;
    schedule("next").every(1, "sweep", async () => ++runs);
    await expect.poll(() => runs, { timeout: 15_000 }).toBeGreaterThan(0);
  });

  test("work that fails is logged and has another turn", async () => {
    let runs = 0;
    schedule("only").every(1, "sweep", async () => {
      runs += 1;
      if (runs === 1) throw new Error("no");
    });
    await expect.poll(() => runs, { timeout: 15_000 }).toBeGreaterThan(1);
    expect(logged).toEqual(["a scheduled task failed"]);
  });

  test("OP-72 after a stop no work starts, running work is awaited, and its lease is given up", async () => {
    let finish = () => {};
    let done = false;
    const one = schedule("first");
    const begun = new Promise<void>((begin) => {
      one.every(600, "sweep", async () => {
        begin();
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
        done = true;
      });
    });
    await begun;
    one.stop();
    one.every(600, "keys", () => Promise.reject(new Error("started after a stop")));
    finish();
    await one.settled();
    expect({ done, logged }).toEqual({ done: true, logged: [] });
    expect(await holdLease(database.db, "keys", "another", 30)).toBe(true);
    await endLease(database.db, "keys", "another", 0);
  });
});
