import { findStoreUnavailable } from "@gatehouse/auth";
import { openDatabase } from "@gatehouse/db/database";
import { insertFact, readFact, writeFact } from "@gatehouse/db/facts";
import { engines, type TestDatabase } from "@gatehouse/db/testing/engines";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { assertNotMoved, followMaintenance, MOVED, maintenanceSince, setMaintenance } from "./read-only.ts";

const silent = { info() {}, warn() {}, error() {} };
const now = () => 1_800_000_000;

describe.each(engines)("OP-55 maintenance, on $name", ({ open }) => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await open();
  });
  afterEach(() => database.close());

  const failure = (work: Promise<unknown>) => work.then(() => undefined, findStoreUnavailable);

  test("a server refuses every kind of write with a time to retry, and reads on; afterwards it writes again", async () => {
    const operator = await openDatabase(database.url);
    const logged: string[] = [];
    const log = { ...silent, info: (_: object, message: string) => void logged.push(message) };
    await insertFact(database.db, "before", "1");
    await setMaintenance(true, { db: operator.db, now });
    const following = await followMaintenance(database, log);

    const { db } = database;
    const insert = () => db.insert(db.tables.installation).values({ key: "late", value: "1" });
    const update = db.update(db.tables.installation).set({ value: "2" }).returning({ key: db.tables.installation.key });
    for (const write of [
      insert(),
      db.transaction([insert()]),
      db.guarded(update, []),
      db.guarded(update, [insert()]),
    ]) {
      const refused = await failure(write as unknown as Promise<unknown>);
      expect(refused).toMatchObject({ retryAfterSeconds: expect.any(Number) });
    }
    expect(await readFact(db, "before")).toBe("1");
    expect(await readFact(db, "late")).toBeUndefined();
    expect(await maintenanceSince(db)).toBe(now());

    await setMaintenance(false, { db: operator.db, now });
    await expect.poll(() => failure(insertFact(db, "after", "1")), { timeout: 10_000 }).toBeUndefined();
    expect(logged).toEqual([expect.stringContaining("maintenance began"), "maintenance ended"]);
    following.stop();
    await operator.close();
  });

  test("the old database of a move is never written again, and starts no server", async () => {
    await assertNotMoved(database);
    await writeFact(database.db, MOVED, JSON.stringify({ to: "postgres://db/new", at: now() }));
    const following = await followMaintenance(database, silent);
    expect(await failure(insertFact(database.db, "late", "1"))).toBeDefined();
    following.stop();
    database.refuseWrites(false);
    await expect(assertNotMoved(database)).rejects.toThrow(/moved to postgres:\/\/db\/new at 2027-/);
  });
});
