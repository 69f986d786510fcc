import { beforeEach, describe, expect, test } from "vitest";
import { openDatabase } from "../../database.ts";
import { engines, type TestDatabase } from "../../testing/engines.ts";
import { endLease, holdLease } from "./leases.ts";

describe.each(engines)("leases on $name", ({ open }) => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await open();
    return () => database.close();
  });

  test("OP-22 one of several processes gets a lease, and keeps it as long as it renews it", async () => {
    const others = await Promise.all(Array.from({ length: 3 }, () => openDatabase(database.url)));
    const dbs = [database, ...others].map(({ db }) => db);
    const held = await Promise.all(dbs.map((db, at) => holdLease(db, "sweep", `process ${at}`, 30)));
    expect(held.filter(Boolean)).toHaveLength(1);
    const again = await Promise.all(dbs.map((db, at) => holdLease(db, "sweep", `process ${at}`, 30)));
    expect(again).toEqual(held);
    expect(await holdLease(database.db, "keys", "process 9", 30), "another lease").toBe(true);
    await Promise.all(others.map((other) => other.close()));
  });

  test("OP-22 a lease that was not renewed is free", async () => {
    const { db } = database;
    expect(await holdLease(db, "sweep", "killed", 0)).toBe(true);
    expect(await holdLease(db, "sweep", "next", 30)).toBe(true);
    expect(await holdLease(db, "sweep", "killed", 30)).toBe(false);
  });

  test("OP-84 a lease that was taken while the clock was ahead is free once the clock is right", async () => {
    const { db } = database;
    await holdLease(db, "sweep", "first", 30);
    await endLease(db, "sweep", "first", 600);
    expect(await holdLease(db, "sweep", "next", 30, 600), "it is this far ahead by right").toBe(false);
    await db.update(db.tables.leases).set({ until: Math.floor(Date.now() / 1000) + 2 * 86_400 });
    expect(await holdLease(db, "sweep", "next", 30, 600)).toBe(true);
    expect(await holdLease(db, "sweep", "first", 30, 600)).toBe(false);
  });

  test("a turn that ended leaves the lease free after its pause, also for its last holder", async () => {
    const { db } = database;
    await holdLease(db, "sweep", "first", 30);
    await endLease(db, "sweep", "another", 0);
    expect(await holdLease(db, "sweep", "another", 30), "only the holder can end its turn").toBe(false);
    await endLease(db, "sweep", "first", 600);
    expect(await holdLease(db, "sweep", "first", 30)).toBe(false);
    expect(await holdLease(db, "sweep", "another", 30)).toBe(false);
    await db.update(db.tables.leases).set({ until: 0 });
    expect(await holdLease(db, "sweep", "another", 30)).toBe(true);
    await endLease(db, "sweep", "another", 0);
    expect(await holdLease(db, "sweep", "first", 30)).toBe(true);
  });
});
