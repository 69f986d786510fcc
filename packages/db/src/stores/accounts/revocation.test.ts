import { accountEvent, type Ends, WHAT_ENDS } from "@gatehouse/accounts";
import { type Hash, type Store, sha256 } from "@gatehouse/auth";
import { PASSWORD_SIGN_IN, seededRandom } from "@gatehouse/auth/testing";
import { eq, isNull } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { engines, type TestDatabase } from "../../testing/engines.ts";
import { NOW, seed } from "../../testing/people.ts";
import { createAuthStore } from "../auth/store.ts";
import { changeAccount } from "./account-change.ts";
import { findAccount } from "./accounts.ts";
import { findPendingInvitation, saveInvitation } from "./invitations.ts";
import { revocationWrites } from "./revocation.ts";

describe.each(engines)("what a change of an account ends, on $name", ({ open }) => {
  let database: TestDatabase;
  let store: Store;
  beforeEach(async () => {
    database = await open();
    await seed(database.db);
    store = createAuthStore(database.db);
  });
  afterEach(() => database.close());

  const ada = async () => {
    const found = await findAccount(database.db, "ada");
    if (!found) throw new Error("no user ada");
    return found;
  };

  /**
   * A session with a grant that ends with it (`openid` alone) and one that does not, of a sign-in with these epochs.
   */
  async function signIn(id: string, { accessEpoch }: { accessEpoch: number }) {
    await store.saveSession({
      hash: sha256(id),
      id,
      userId: "ada",
      authTime: NOW,
      userAgent: null,
      address: null,
      accessEpoch,
      ...PASSWORD_SIGN_IN,
      createdAt: NOW,
      lastSeenAt: NOW,
      expiresAt: NOW + 1000,
      absoluteExpiresAt: NOW + 2000,
    });
    await grant(`${id}-bound`, "openid", id, accessEpoch);
    await grant(`${id}-offline`, "openid offline_access", id, accessEpoch);
  }

  async function grant(id: string, scope: string, sessionId: string | null, accessEpoch: number) {
    const of = { clientId: "shop-dev", userId: "ada", scope };
    await store.saveGrant({ ...of, id, sessionId, accessEpoch, createdAt: NOW });
    const token = {
      ...of,
      grantId: id,
      id,
      clientEpoch: 0,
      hash: sha256(id),
      audience: "x",
      context: null,
      environment: "development" as const,
    };
    await store.saveAccessToken({ ...token, issuedAt: NOW, expiresAt: NOW + 600 });
  }

  async function remember(id: string) {
    const { db } = database;
    const { tables } = db;
    const at = { createdAt: NOW, lastUsedAt: NOW, expiresAt: NOW + 600 };
    await db
      .insert(tables.rememberedBrowsers)
      .values({ ...at, id, hash: sha256(id), userId: "ada", signInEpoch: (await ada()).signInEpoch });
  }

  const sessionLives = async (id: string) => {
    const found = await store.findSession(sha256(id));
    return found?.session.revokedAt === null && found.session.accessEpoch === found.user.accessEpoch;
  };
  const tokenLives = async (id: string) => (await store.findAccessToken(sha256(id) as Hash))?.grantRevokedAt === null;
  const lives = async (id: string) => [
    await sessionLives(id),
    await tokenLives(`${id}-bound`),
    await tokenLives(`${id}-offline`),
  ];
  const remembered = async () => (await database.db.select().from(database.db.tables.rememberedBrowsers)).length;

  /** Makes a change in the session `here`, with what it ends. */
  function change(ends: Ends) {
    const { db } = database;
    const { tables } = db;
    const first = db
      .update(tables.users)
      .set({ name: "Ada L." })
      .where(eq(tables.users.id, "ada"))
      .returning({ id: tables.users.id });
    const rest = revocationWrites(database.db, ends, { userId: "ada", sessionId: "here", reason: "changed" }, NOW);
    return changeAccount(database.db, { userId: "ada", first, rest }, NOW);
  }

  const ALIVE = [true, true, true];
  const ENDED = [false, false, false];
  const table: [keyof typeof WHAT_ENDS, { here: boolean[]; there: boolean[]; remembered: number; epoch: number }][] = [
    ["password_changed", { here: ALIVE, there: [false, false, true], remembered: 0, epoch: 1 }],
    ["password_changed_and_apps", { here: [true, false, false], there: ENDED, remembered: 0, epoch: 1 }],
    ["password_reset", { here: ENDED, there: ENDED, remembered: 0, epoch: 1 }],
    ["second_factors_reset", { here: ENDED, there: ENDED, remembered: 0, epoch: 1 }],
    ["email_change_undone", { here: ENDED, there: ENDED, remembered: 0, epoch: 1 }],
    ["factor_removed", { here: ALIVE, there: [false, false, true], remembered: 0, epoch: 1 }],
    ["email_changed", { here: ALIVE, there: [false, false, true], remembered: 0, epoch: 1 }],
    ["account_disabled", { here: ENDED, there: ENDED, remembered: 0, epoch: 1 }],
    ["deletion_requested", { here: ENDED, there: ENDED, remembered: 0, epoch: 1 }],
  ];

  test.each(Object.entries(WHAT_ENDS))(
    "N49 CO-70 WE-01 %s ends API tokens and invitations to a role where it ends every grant",
    async (_, ends) => {
      const { db } = database;
      const { tables } = db;
      const at = { createdAt: NOW, expiresAt: NOW + 600 };
      for (const makerId of ["ada", "grace"]) {
        if (makerId === "grace")
          await db.insert(tables.users).values({ ...(await ada()), id: "grace", email: "grace@example.com" });
        const row = {
          id: makerId,
          hash: sha256(makerId),
          hint: "oken",
          name: "CI",
          makerId,
          scopes: [],
          environments: [],
          clientId: null,
          firstPartyOrigins: [],
        };
        await db.insert(tables.apiTokens).values({ ...row, ...at });
        for (const role of ["admin", "viewer", "user"] as const) {
          const email = `${role}-of-${makerId}@example.com`;
          await saveInvitation(
            database.db,
            { ...at, id: email, email, role, hash: sha256(email), invitedBy: makerId },
            {},
          );
        }
      }
      await change(ends);
      const tokens = await db
        .select({ id: tables.apiTokens.id })
        .from(tables.apiTokens)
        .where(isNull(tables.apiTokens.endedAt));
      const pending = await Promise.all(
        ["admin-of-ada", "viewer-of-ada", "user-of-ada", "admin-of-grace"].map((name) =>
          findPendingInvitation(database.db, `${name}@example.com`, NOW),
        ),
      );
      expect([tokens.map(({ id }) => id).sort(), pending.map((found) => found !== undefined)]).toEqual(
        ends.grants
          ? [["grace"], [false, false, true, true]]
          : [
              ["ada", "grace"],
              [true, true, true, true],
            ],
      );
    },
  );

  test.each(table)(
    "N49 %s ends the sessions, grants, remembered browsers and open sign-ins that it should",
    async (event, expected) => {
      await signIn("here", { accessEpoch: 0 });
      await signIn("there", { accessEpoch: 0 });
      await grant("device", "openid", null, 0);
      await remember("laptop");
      expect([await lives("here"), await lives("there")]).toEqual([ALIVE, ALIVE]); // and the tokens are cached

      expect(await change(WHAT_ENDS[event])).toBe(true);
      expect({ here: await lives("here"), there: await lives("there") }).toEqual({
        here: expected.here,
        there: expected.there,
      });
      expect(await tokenLives("device")).toBe(!WHAT_ENDS[event].grants);
      expect([await remembered(), (await ada()).signInEpoch]).toEqual([expected.remembered, expected.epoch]);
      expect((await store.listSessions("ada", NOW)).map(({ id }) => id).sort()).toEqual(
        ["here", "there"].filter((id) => expected[id as "here" | "there"][0]),
      );
    },
  );

  test("N49 D6 a session that is written with the epoch from before the change is dead, and one with the epoch after it lives", async () => {
    const before = await ada();
    await change(WHAT_ENDS.password_changed);
    await signIn("late", before);
    expect(await lives("late")).toEqual(ENDED);
    await signIn("after", await ada());
    expect(await lives("after")).toEqual(ALIVE);
  });

  test("what ended before does not come back with what is kept", async () => {
    await signIn("here", { accessEpoch: 0 });
    await signIn("there", { accessEpoch: 0 });
    await change(WHAT_ENDS.password_changed);
    await change(WHAT_ENDS.password_changed);
    await change(WHAT_ENDS.email_changed);
    expect([await lives("here"), await lives("there")]).toEqual([ALIVE, [false, false, true]]);
    await signIn("outlived", { accessEpoch: 0 });
    await change(WHAT_ENDS.password_changed);
    expect(await lives("outlived")).toEqual(ENDED);
  });

  test("EM-03 mails, events and audit rows are written with the change, or not at all", async () => {
    const { db } = database;
    const { tables } = db;
    const mail = {
      id: "m1",
      kind: "sign_in_code",
      recipient: "ada@example.com",
      userId: "ada",
      locale: "en",
      payload: "sealed",
    } as const;
    const event = accountEvent(
      "password_changed",
      { userId: "ada", source: { userAgent: "Firefox", address: "192.0.2.7" } },
      { now: () => NOW, random: seededRandom("events") },
    );
    const also = { mails: [{ ...mail, expiresAt: null, createdAt: NOW }], events: [event] };
    const to = (id: string) =>
      changeAccount(
        database.db,
        {
          userId: id,
          first: db
            .update(tables.users)
            .set({ name: "Ada L." })
            .where(eq(tables.users.id, id))
            .returning({ id: tables.users.id }),
          also,
        },
        NOW,
      );
    expect(await to("nobody")).toBe(false);
    const written = async () => [
      (await db.select().from(tables.mails)).map(({ id, state }) => [id, state]),
      (await db.select().from(tables.jobs)).map(({ queue, payload }) => [queue, payload]),
      (await db.select().from(tables.accountEvents)).map(({ kind }) => kind),
    ];
    expect(await written()).toEqual([[], [], []]);
    expect(await to("ada")).toBe(true);
    expect(await written()).toEqual([[["m1", "queued"]], [["mail", { mailId: "m1" }]], ["password_changed"]]);
    await expect(to("ada")).rejects.toThrow(); // the mail has its id already: the whole change is undone
    expect((await written())[2]).toEqual(["password_changed"]);
  });

  test("clients of the ended sessions are told, those of the remaining one are not", async () => {
    const { db } = database;
    const { tables } = db;
    await db.update(tables.clients).set({ options: { backchannelLogoutUri: "https://shop.example/logout" } });
    await signIn("here", { accessEpoch: 0 });
    await signIn("there", { accessEpoch: 0 });
    await change(WHAT_ENDS.password_changed);
    expect((await db.select().from(tables.jobs)).map(({ payload }) => payload)).toEqual([
      { clientId: "shop-dev", userId: "ada", sessionId: "there" },
    ]);
  });
});
