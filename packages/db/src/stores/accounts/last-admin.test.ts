import { inArray } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { engines, type TestDatabase } from "../../testing/engines.ts";
import { NOW, seed } from "../../testing/people.ts";
import { requestDeletion } from "./deletions.ts";
import { changeUser, updateUserDisabled } from "./user-changes.ts";
import { hasAdmin } from "./users.ts";

const ADMINS = ["ada", "bob", "cy", "di"];

/** What can end an admin. Each resolves to something true if it happened. */
const WAYS: [string, (database: TestDatabase, userId: string) => Promise<unknown>][] = [
  ["demoted", ({ db }, id) => changeUser(db, { id, role: "viewer" }, NOW)],
  ["disabled", ({ db }, id) => updateUserDisabled(db, { id, disabled: true }, NOW)],
  ["deleted", ({ db }, userId) => requestDeletion(db, { userId, deleteAfter: NOW + 60 }, {}, NOW)],
];

describe.each(engines)("the last admin, on $name", ({ open }) => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await open();
    const { db } = database;
    const { tables } = db;
    await seed(database.db);
    const more = ["cy", "di"].map((id) => ({
      id,
      email: `${id}@example.com`,
      name: id,
      role: "admin" as const,
      createdAt: NOW,
    }));
    await db.insert(tables.users).values(more);
    await db.update(tables.users).set({ registeredBy: "operator", role: "admin" });
  });
  afterEach(() => database.close());

  const race = async (way: (typeof WAYS)[number][1]) =>
    (await Promise.all(ADMINS.map((id) => way(database, id)))).filter(Boolean);

  test.each(WAYS)("UM-04 of four admins who are %s at the same time, one stays", async (_, way) => {
    expect(await race(way)).toHaveLength(3);
    expect(await hasAdmin(database.db)).toBe(true);
  });

  test("UM-04 one stays however they end, round after round", async () => {
    const { db } = database;
    const { tables } = db;
    for (let round = 0; round < 10; round++) {
      await db
        .update(tables.users)
        .set({ role: "admin", disabledAt: null, deleteAfter: null })
        .where(inArray(tables.users.id, ADMINS));
      await Promise.all(ADMINS.map((id, at) => WAYS[(round + at) % WAYS.length]?.[1](database, id)));
      expect(await hasAdmin(database.db)).toBe(true);
    }
  });
});
