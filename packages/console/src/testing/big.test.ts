import { fillBig } from "@gatehouse/db/testing/big";
import { engines, type TestDatabase } from "@gatehouse/db/testing/engines";
import { NOW } from "@gatehouse/db/testing/people";
import { count } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readTotals } from "../clients/usage-queries.ts";

describe.each(engines)("a big installation on $name, CO-99", ({ open }) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await open({ fresh: true });
    await fillBig(database, { rows: 500, applications: 20, now: NOW });
  });
  afterAll(() => database.close());

  test("has as many rows as asked for, and totals that match", async () => {
    const { db } = database;
    const { tables: t } = db;
    const counts = await Promise.all(
      [t.users, t.grants, t.webhookDeliveries, t.clients].map((table) => db.select({ n: count() }).from(table)),
    );
    expect(counts.map(([row]) => row?.n)).toEqual([500, 500, 500, 60]);
    expect(await readTotals(database.db)).toEqual({ users: 500, applications: 20, clients: 60 });
  });

  test("counts later changes of the totals", async () => {
    const { db } = database;
    const { tables: t } = db;
    await db.delete(t.applications);
    expect(await readTotals(database.db)).toEqual({ users: 500, applications: 0, clients: 0 });
  });

  test("has deliveries whose ids are in the order of their times", async () => {
    const { webhookDeliveries: d } = database.db.tables;
    const rows = await database.db.select({ id: d.id, at: d.receivedAt }).from(d).orderBy(d.id);
    expect(rows.map(({ at }) => at)).toEqual(rows.map(({ at }) => at).toSorted((one, other) => one - other));
    expect(rows.at(-1)?.at).toBe(NOW);
  });
});
