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
    const handles = [database, ...others].map(({ handle }) => handle);
    const held = await Promise.all(handles.map((handle, at) => holdLease(handle, "sweep", `process ${at}`, 30)));
    expect(held.filter(Boolean)).toHaveLength(1);
    const again = await Promise.all(handles.map((handle, at) => holdLease(handle, "sweep", `process ${at}`, 30)));
    expect(again).toEqual(held);
    expect(await holdLease(database.handle, "keys", "process 9", 30), "another lease").toBe(true);
    await Promise.all(others.map((other) => other.close()));
  });

  test("OP-22 a lease that was not renewed is free", async () => {
    const { handle } = database;
    expect(await holdLease(handle, "sweep", "killed", 0)).toBe(true);
    expect(await holdLease(handle, "sweep", "next", 30)).toBe(true);
    expect(await holdLease(handle, "sweep", "killed", 30)).toBe(false);
  });

  test("a turn that ended leaves the lease free after its pause, also for its last holder", async () => {
    const { handle } = database;
    await holdLease(handle, "sweep", "first", 30);
    await endLease(handle, "sweep", "another", 0);
    expect(await holdLease(handle, "sweep", "another", 30), "only the holder can end its turn").toBe(false);
    await endLease(handle, "sweep", "first", 600);
    expect(await holdLease(handle, "sweep", "first", 30)).toBe(false);
    expect(await holdLease(handle, "sweep", "another", 30)).toBe(false);
    await handle.db.update(handle.tables.leases).set({ until: 0 });
    expect(await holdLease(handle, "sweep", "another", 30)).toBe(true);
    await endLease(handle, "sweep", "another", 0);
    expect(await holdLease(handle, "sweep", "first", 30)).toBe(true);
  });
});
