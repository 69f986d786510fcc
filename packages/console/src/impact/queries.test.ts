import { FOLLOW_INDEX } from "@gatehouse/db/postgres/db";
import { fillBig } from "@gatehouse/db/testing/big";
import { engines, type TestDatabase } from "@gatehouse/db/testing/engines";
import { NOW } from "@gatehouse/db/testing/people";
import { examinedRows, recordingDb, type Sent } from "@gatehouse/db/testing/plans";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EXAMINED_GRANTS, listLiveGrants } from "./queries.ts";

describe.each(engines)("the live grants of a client, on $name", ({ open }) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await open({ fresh: true });
    await fillBig(database, { rows: 3 * EXAMINED_GRANTS + 300, applications: 1, now: NOW }); // with three clients
  });
  afterAll(() => database.close());

  test("CO-37 a client with many is examined in part, by an index", async () => {
    const sent: Sent[] = [];
    const found = await listLiveGrants(recordingDb(database, sent), "big-client-1");
    expect(found).toMatchObject({ grants: { length: EXAMINED_GRANTS }, more: true });
    for (const statement of sent)
      expect(await examinedRows(database, statement, FOLLOW_INDEX)).toBeLessThanOrEqual(EXAMINED_GRANTS + 1);
  });

  test("CO-37 revoked grants, and those of users without access, are left out", async () => {
    const { db } = database;
    const { tables: t } = db;
    await db.delete(t.grants).where(eq(t.grants.clientId, "big-client-2"));
    const grant = { clientId: "big-client-2", scope: "openid", createdAt: NOW };
    await db.insert(t.grants).values([
      { ...grant, id: "live", userId: "big-user-1" },
      { ...grant, id: "revoked", userId: "big-user-2", revokedAt: NOW, revokedReason: "test" },
      { ...grant, id: "disabled", userId: "big-user-3" },
      { ...grant, id: "ended", userId: "big-user-4" },
    ]);
    await db.update(t.users).set({ disabledAt: NOW }).where(eq(t.users.id, "big-user-3"));
    await db.update(t.users).set({ accessEpoch: 1 }).where(eq(t.users.id, "big-user-4"));
    expect(await listLiveGrants(database.reads, "big-client-2")).toEqual({
      grants: [{ userId: "big-user-1", scope: "openid" }],
      more: false,
    });
  });
});
