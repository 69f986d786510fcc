import { sha256, timeOrderedIdsFrom } from "@gatehouse/auth";
import { PASSWORD_SIGN_IN } from "@gatehouse/auth/testing";
import { eq, getTableName } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createAuthStore } from "../stores/auth/store.ts";
import { engines, type TestDatabase } from "../testing/engines.ts";
import { NOW, seed } from "../testing/people.ts";
import { sweep } from "./sweep.ts";

const DAY = 86_400;

describe.each(engines)("the sweeper of accounts on $name", ({ open }) => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await open();
    await seed(database.db);
  });
  afterEach(() => database.close());

  const users = async () => (await database.db.select().from(database.db.tables.users)).map(({ id }) => id).sort();
  const change = (id: string, values: Record<string, unknown>) =>
    database.db.update(database.db.tables.users).set(values).where(eq(database.db.tables.users.id, id));

  test("deletes what expired, each kind after its time", async () => {
    const { db } = database;
    const { tables: t } = db;
    const at = { createdAt: NOW, expiresAt: NOW };
    await db.insert(t.mailedTokens).values({ ...at, hash: sha256("t"), purpose: "reset", email: "ada@example.com" });
    await db
      .insert(t.rememberedBrowsers)
      .values({ ...at, id: "b", hash: sha256("b"), userId: "ada", signInEpoch: 0, lastUsedAt: NOW });
    await db
      .insert(t.invitations)
      .values({ ...at, id: "i", hash: sha256("i"), email: "cy@example.com", role: "user", invitedBy: "ada" });
    await db.insert(t.mails).values({
      id: `${timeOrderedIdsFrom(NOW - 1)}m`,
      kind: "reset_link",
      recipient: "ada@example.com",
      locale: "en",
      state: "sent",
      createdAt: NOW,
    });
    await db.insert(t.accountEvents).values({ id: "e", userId: "ada", at: NOW, kind: "signed_in", detail: {} });
    const tables = [t.rememberedBrowsers, t.mailedTokens, t.mails, t.invitations, t.accountEvents];
    const left = async () =>
      (await Promise.all(tables.map((table) => db.select().from(table)))).map((rows) => rows.length);

    for (const [days, expected] of [
      [0, [0, 1, 1, 1, 1]],
      [7, [0, 0, 1, 1, 1]],
      [30, [0, 0, 0, 1, 1]],
      [90, [0, 0, 0, 0, 1]],
      [180, [0, 0, 0, 0, 0]],
    ] as const) {
      await sweep(database.db, NOW + days * DAY);
      expect(await left(), tables.map(getTableName).join()).toEqual(expected);
    }
  });

  test("RG-10 an account is deleted with all its rows at the end of its grace period, and not before", async () => {
    const { db } = database;
    const { tables: t } = db;
    await change("ada", { deleteAfter: NOW });
    await db.insert(t.totpSecrets).values({ userId: "ada", secret: "sealed", lastStep: 1, createdAt: NOW });
    await sweep(database.db, NOW - 1);
    expect(await users()).toEqual(["ada", "bob"]);
    await sweep(database.db, NOW);
    expect([await users(), await db.select().from(t.totpSecrets)]).toEqual([["bob"], []]);
  });

  test("RG-07 while mail works, never verified accounts go after 30 days without a session or a grant", async () => {
    const store = createAuthStore(database.db);
    await change("ada", { registeredBy: "self" });
    const grant = { id: "g", userId: "ada", clientId: "shop-dev", scope: "api:read", sessionId: null, accessEpoch: 0 };
    await store.saveGrant({ ...grant, createdAt: NOW + 29 * DAY });
    await sweep(database.db, NOW + 30 * DAY, { mailWorks: true });
    expect(await users()).toEqual(["ada", "bob"]);

    await store.revokeGrant("g", "test", NOW + 30 * DAY);
    await sweep(database.db, NOW + 30 * DAY - 1, { mailWorks: true });
    await sweep(database.db, NOW + 31 * DAY, { mailWorks: false });
    expect(await users()).toEqual(["ada", "bob"]);
    await sweep(database.db, NOW + 31 * DAY, { mailWorks: true });
    expect(await users()).toEqual(["bob"]); // whose operator vouches for the address
  });

  test.each(["signed_up", "signed_in"] as const)(
    "RG-07 an account that is in use stays: 30 days count from the end of the longest session that began with %s",
    async (kind) => {
      await change("ada", { registeredBy: "self", createdAt: NOW - 100 * DAY });
      const event = { id: "e", userId: "ada", at: NOW, kind, detail: {} };
      await database.db.insert(database.db.tables.accountEvents).values(event);
      await createAuthStore(database.db).saveSession({
        hash: sha256("session"),
        id: "s",
        userId: "ada",
        authTime: NOW,
        userAgent: null,
        address: null,
        accessEpoch: 0,
        createdAt: NOW,
        lastSeenAt: NOW,
        expiresAt: NOW + 30 * DAY,
        absoluteExpiresAt: NOW + 30 * DAY,
        ...PASSWORD_SIGN_IN,
      });
      // The row of the session is gone after 31 days.
      for (const days of [29, 32, 59]) {
        await sweep(database.db, NOW + days * DAY, { mailWorks: true });
        expect(await users(), `${days} days`).toEqual(["ada", "bob"]);
      }
      await sweep(database.db, NOW + 60 * DAY, { mailWorks: true });
      expect(await users()).toEqual(["bob"]);
    },
  );

  test.each([{ emailVerifiedAt: NOW }, { registeredBy: "operator" }])(
    "RG-07 keeps an account with %o",
    async (values) => {
      await change("ada", { registeredBy: "self", ...values });
      await sweep(database.db, NOW + 400 * DAY, { mailWorks: true });
      expect(await users()).toEqual(["ada", "bob"]);
    },
  );
});
