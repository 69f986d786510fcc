import { randomBytes } from "node:crypto";
import { accountEvent } from "@gatehouse/accounts";
import { createSeal, rotateKey, type Store, sha256, signJwt } from "@gatehouse/auth";
import { PASSWORD_SIGN_IN } from "@gatehouse/auth/testing";
import { signOutEverywhere } from "@gatehouse/db/stores/accounts/user-sessions";
import { revokeSession, saveSignIn } from "@gatehouse/db/stores/auth/sessions";
import { createAuthStore } from "@gatehouse/db/stores/auth/store";
import { claimJobs } from "@gatehouse/db/stores/jobs/job-claims";
import { LOGOUT_NOTICE_QUEUE } from "@gatehouse/db/stores/jobs/jobs";
import { engines, type TestDatabase } from "@gatehouse/db/testing/engines";
import { NOW, seed } from "@gatehouse/db/testing/people";
import { eq, inArray } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { resetSecondFactors } from "./security-queries.ts";

describe.each(engines)("what ends with a session, and signing keys, on $name", ({ open }) => {
  let database: TestDatabase;
  let store: Store;
  beforeAll(async () => {
    database = await open();
    await seed(database.db);
    store = createAuthStore(database.db);
    const { db } = database;
    const { tables } = db;
    await db
      .update(tables.clients)
      .set({ options: { backchannelLogoutUri: "https://shop.example/out" } })
      .where(inArray(tables.clients.id, ["shop-dev", "shop-prod"]));
  });
  afterAll(() => database.close());

  const grant = (id: string, scope: string, sessionId: string | null, clientId = "shop-dev") =>
    store.saveGrant({ id, userId: "ada", clientId, scope, sessionId, accessEpoch: 0, createdAt: NOW });
  const session = (id: string) => ({
    hash: sha256(id),
    id,
    userId: "ada",
    authTime: NOW,
    ...PASSWORD_SIGN_IN,
    userAgent: null,
    address: null,
    accessEpoch: 0,
    createdAt: NOW,
    lastSeenAt: NOW,
    expiresAt: NOW + 1000,
    absoluteExpiresAt: NOW + 2000,
  });
  async function revoked(): Promise<string[]> {
    const { db } = database;
    const { tables } = db;
    const rows = await db.select({ id: tables.grants.id, revokedAt: tables.grants.revokedAt }).from(tables.grants);
    return rows.flatMap(({ id, revokedAt }) => (revokedAt === null ? [] : [id])).sort();
  }

  test("RT-08 only what was granted in it with openid and without offline_access, and to our own clients in a browser", async () => {
    await store.saveSession(session("s1"));
    await grant("a", "openid", "s1");
    await grant("b", "api:read openid email", "s1");
    await grant("c", "openid offline_access", "s1");
    await grant("d", "api:read", "s1");
    await grant("e", "openid", "s2");
    await grant("f", "xopenid openidx", "s1");
    await grant("g", "console:read offline_access", "s1", "shop-prod"); // first-party
    await grant("h", "console:read offline_access", "s2", "shop-prod");
    expect(await store.revokeSession("bob", "s1", NOW)).toBe(false);
    expect(await revoked()).toEqual([]);
    expect(await store.revokeSession("ada", "s1", NOW)).toBe(true);
    expect(await revoked()).toEqual(["a", "b", "g"]);
    expect(await store.revokeSession("ada", "s1", NOW + 1)).toBe(false);
  });

  test("signing in again moves a session's grants to its successor, and they end with it", async () => {
    await store.saveSession(session("first"));
    await grant("handed-on", "api:read", "first", "shop-prod");
    await store.replaceSession("first", session("second"));
    expect((await store.findSession(sha256("first")))?.session.revokedAt).toBe(NOW);
    expect(await revoked()).not.toContain("handed-on");
    await store.revokeSession("ada", "second", NOW);
    expect(await revoked()).toContain("handed-on");
  });

  test.each([undefined, "earlier"])(
    "SN-04 EM-03 a session and its mail are written together, or neither is; in place of %s",
    async (previousId) => {
      const { db } = database;
      const { tables } = db;
      const [id, mailId] = [`with mail ${previousId}`, `mail ${previousId}`];
      if (previousId !== undefined) await store.saveSession(session(previousId));
      const mail = {
        kind: "new_sign_in",
        recipient: "ada@example.com",
        userId: "ada",
        locale: "en",
        payload: "sealed",
      } as const;
      const event = accountEvent(
        "signed_in",
        { userId: "ada", source: { userAgent: null, address: null } },
        { now: () => NOW, random: randomBytes },
      );
      const also = () => ({
        mails: [{ ...mail, id: mailId, createdAt: NOW, expiresAt: null }],
        events: [{ ...event, id: randomBytes(8).toString("hex") }],
      });
      const written = async () => [
        (await db.select().from(tables.sessions).where(eq(tables.sessions.id, id))).length,
        (await db.select().from(tables.mails).where(eq(tables.mails.id, mailId))).length,
        (await db.select().from(tables.accountEvents)).length,
      ];
      const [, , events = 0] = await written();
      await saveSignIn(database.db, session(id), previousId, also());
      expect(await written()).toEqual([1, 1, events + 1]);
      const again = `${id} again`;
      await expect(saveSignIn(database.db, session(again), previousId, also())).rejects.toThrow(); // the mail's id is taken
      expect(await store.findSession(sha256(again))).toBeUndefined();
      expect(await written()).toEqual([1, 1, events + 1]);
    },
  );

  test("an ended session gets no grant, and a grant that races its end does not outlive it", async () => {
    for (let round = 0; round < 20; round++) {
      const id = `raced-${round}`;
      await store.saveSession(session(id));
      const one = {
        userId: "ada",
        clientId: "shop-prod",
        scope: "api:read",
        sessionId: id,
        accessEpoch: 0,
        createdAt: NOW,
      };
      const save = (turn: number) => store.saveGrant({ ...one, id: `${id}-${turn}` }, id);
      const first = await save(0);
      const [second, ended, third] = await Promise.all([save(1), store.revokeSession("ada", id, NOW), save(2)]);
      expect([first, ended, await save(3)]).toEqual([true, true, false]);
      const made = [first, second, third].flatMap((saved, turn) => (saved ? [`${id}-${turn}`] : []));
      expect((await revoked()).filter((grantId) => grantId.startsWith(`${id}-`))).toEqual(made);
    }
  });

  test("one notice for each client and session is in the transaction that ends it, so a crash after it loses none", async () => {
    const { db } = database;
    await store.saveSession(session("s3"));
    await grant("i", "openid", "s3");
    await grant("j", "openid", "s3");
    await db.delete(db.tables.jobs);
    const dies = { ...db, transaction: () => Promise.reject(new Error("died")) };
    await Promise.all([revokeSession(dies, "ada", "s3", NOW), revokeSession(dies, "ada", "s3", NOW)]);
    const claim = () => claimJobs(db, { queue: LOGOUT_NOTICE_QUEUE, limit: 20, leaseToken: "token", leaseSeconds: 60 });
    const taken = (await Promise.all(Array.from({ length: 10 }, claim))).flat();
    expect(taken.map(({ payload }) => payload)).toEqual([{ clientId: "shop-dev", userId: "ada", sessionId: "s3" }]);
  });

  test.each<[string, (id: string) => Promise<unknown>]>([
    ["signing out", (id) => revokeSession(database.db, "ada", id, NOW + 7)],
    ["signing out everywhere", () => signOutEverywhere(database.db, { userId: "ada", apps: false }, NOW + 8)],
    ["a change of the account", () => resetSecondFactors(database.db, "ada", {}, NOW + 9)],
  ])(
    "after the user signed in again in that browser, %s names the session to each client as it was told",
    async (way, end) => {
      const { db } = database;
      const [first, second, third] = [`${way} 1`, `${way} 2`, `${way} 3`];
      const [{ accessEpoch = 0 } = {}] = await db.select().from(db.tables.users).where(eq(db.tables.users.id, "ada"));
      const to = { userId: "ada", scope: "openid offline_access", accessEpoch, createdAt: NOW };
      await store.saveSession({ ...session(first), accessEpoch });
      await store.saveGrant({ ...to, id: `${way} a`, clientId: "shop-dev", sessionId: first });
      await store.saveGrant({ ...to, id: `${way} b`, clientId: "shop-prod", sessionId: first });
      await store.revokeGrant(`${way} b`, "revoked by the client", NOW);
      await store.replaceSession(first, { ...session(second), accessEpoch });
      await store.saveGrant({ ...to, id: `${way} c`, clientId: "shop-dev", sessionId: second });
      await store.replaceSession(second, { ...session(third), accessEpoch });
      const told = { sessionId: third, clientId: "shop-dev" };
      expect(
        await Promise.all([first, second, third, "guess"].map((sid) => store.isSidOfSession({ ...told, sid }))),
      ).toEqual([true, true, false, false]);
      expect(await store.isSidOfSession({ ...told, clientId: "shop-prod", sid: second })).toBe(false);

      await db.delete(db.tables.jobs);
      await end(third);
      const notices = await claimJobs(db, {
        queue: LOGOUT_NOTICE_QUEUE,
        limit: 20,
        leaseToken: "token",
        leaseSeconds: 60,
      });
      const sids = notices.map(({ payload }) => payload as { clientId: string; sessionId: string });
      expect(sids.map(({ clientId, sessionId }) => `${clientId}: ${sessionId}`).toSorted()).toEqual([
        `shop-dev: ${first}`,
        `shop-dev: ${second}`,
        `shop-prod: ${first}`,
      ]);
    },
  );

  test("MD-07 processes that create the first or the next key at the same time all use the same one", async () => {
    const seal = createSeal("a secret of at least thirty-two bytes", randomBytes);
    const processes = Array.from({ length: 4 }, () => ({ store: createAuthStore(database.db), now: () => NOW, seal }));
    const sign = (deps: (typeof processes)[number]) => signJwt({ typ: "JWT", claims: {}, algorithm: "EdDSA" }, deps);
    const headers = new Set((await Promise.all(processes.map(sign))).map((token) => token.split(".")[0]));
    expect(headers.size).toBe(1);
    const next = await Promise.all(processes.map((deps) => rotateKey("EdDSA", false, deps)));
    expect(new Set(next.map(({ kid }) => kid)).size).toBe(1);
    expect(await store.listSigningKeys()).toHaveLength(2);
  });
});
