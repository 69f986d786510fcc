import { type Hash, type Role, type Store, sha256 } from "@gatehouse/auth";
import { PASSWORD_SIGN_IN } from "@gatehouse/auth/testing";
import type { Db } from "@gatehouse/db/query/db";
import { changeUser, takeOverUser, updateUserDisabled } from "@gatehouse/db/stores/accounts/user-changes";
import { signOutEverywhere } from "@gatehouse/db/stores/accounts/user-sessions";
import { findUser } from "@gatehouse/db/stores/accounts/users";
import { createAuthStore } from "@gatehouse/db/stores/auth/store";
import { LOGOUT_NOTICE_QUEUE } from "@gatehouse/db/stores/jobs/jobs";
import { engines, type TestDatabase } from "@gatehouse/db/testing/engines";
import { NOW, SHOWN, seed } from "@gatehouse/db/testing/people";
import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { requirePasswordChange, resetSecondFactors } from "./security-queries.ts";

describe.each(engines)("what ends with an account, on $name", ({ open }) => {
  let database: TestDatabase;
  let store: Store;
  beforeEach(async () => {
    database = await open();
    await seed(database.db);
    const { db } = database;
    const { tables } = db;
    await db.update(tables.users).set({ registeredBy: "operator" });
    store = createAuthStore(database.db);
  });
  afterEach(() => database.close());

  const user = async (id = "ada") => {
    const found = await findUser(database.db, id);
    if (!found) throw new Error(`no user ${id}`);
    return found;
  };
  const registered = (by: "self" | "operator" | null, emailVerifiedAt: number | null = null) =>
    database.db
      .update(database.db.tables.users)
      .set({ registeredBy: by, emailVerifiedAt })
      .where(eq(database.db.tables.users.id, "ada"));

  /** A session, and a third-party app's and our own app's tokens, as of a sign-in in this epoch. */
  async function signedIn(name: string, accessEpoch: number) {
    const session = {
      hash: sha256(name),
      id: name,
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
    };
    await store.saveSession(session);
    for (const clientId of ["shop-dev", "shop-prod"]) {
      const grantId = `${name}-${clientId}`;
      const common = {
        grantId,
        clientId,
        userId: "ada",
        scope: "api:read",
        audience: "http://localhost:3000/api",
        context: null,
      };
      await store.saveGrant({
        id: grantId,
        userId: "ada",
        clientId,
        scope: "api:read",
        sessionId: null,
        accessEpoch,
        createdAt: NOW,
      });
      const access = {
        ...common,
        hash: sha256(grantId),
        id: grantId,
        clientEpoch: 0,
        environment: "development" as const,
        issuedAt: NOW,
      };
      await store.saveAccessToken({ ...access, expiresAt: NOW + 600 });
    }
    return { session: session.hash, thirdParty: sha256(`${name}-shop-dev`), own: sha256(`${name}-shop-prod`) };
  }
  const sessionLives = async (hash: Hash) => {
    const found = await store.findSession(hash);
    return found?.session.revokedAt === null && found.session.accessEpoch === found.user.accessEpoch;
  };
  const tokenLives = async (hash: Hash) => (await store.findAccessToken(hash))?.grantRevokedAt === null;
  const lives = async (of: { session: Hash; thirdParty: Hash; own: Hash }) => [
    await sessionLives(of.session),
    await tokenLives(of.thirdParty),
    await tokenLives(of.own),
  ];

  test.each<[string, { role?: Role; passwordHash?: string; name?: string }, boolean]>([
    ["a raise", { role: "admin" }, true],
    ["a raise by one step", { role: "viewer" }, true],
    ["a new password", { passwordHash: "$new" }, true],
    ["the same role", { role: "user" }, false],
    ["a new name", { name: "Ada L." }, false],
  ])("%s ends every session and token at once, or none", async (_, change, ends) => {
    const before = await signedIn("before", 0);
    expect(await lives(before)).toEqual([true, true, true]); // and the tokens are in the cache
    expect(await changeUser(database.db, { id: "ada", ...change }, NOW)).toBe(true);
    expect(await lives(before)).toEqual([!ends, !ends, !ends]);
    expect(await store.listSessions("ada", NOW)).toHaveLength(ends ? 0 : 1);
  });

  test.each<[string, (db: Db) => Promise<unknown>, string[]]>([
    ["disabling", (db) => updateUserDisabled(db, { id: "ada", disabled: true }, NOW), ["one", "two"]],
    ["a new password", (db) => changeUser(db, { id: "ada", passwordHash: "$new" }, NOW), ["one", "two"]],
    ["a reset of the second factors", (db) => resetSecondFactors(db, "ada", {}, NOW), ["one", "two"]],
    ["signing out everywhere", (db) => signOutEverywhere(db, { userId: "ada", apps: false }, NOW), ["one", "two"]],
    [
      "signing out everywhere else",
      (db) => signOutEverywhere(db, { userId: "ada", keep: "one", apps: false }, NOW),
      ["two"],
    ],
    ["requiring a new password", (db) => requirePasswordChange(db, "ada", {}, NOW), []],
  ])("%s tells the clients of the sessions that it ends, in its own transaction", async (_, end, ended) => {
    const { db } = database;
    const { tables } = db;
    await db.update(tables.users).set({ passwordHash: "$old" }).where(eq(tables.users.id, "ada"));
    const told = { options: { backchannelLogoutUri: "https://shop.example/out" } };
    await db.update(tables.clients).set(told).where(eq(tables.clients.id, "shop-dev"));
    for (const sessionId of ["before", "one", "two"]) {
      await signedIn(sessionId, 0);
      const grant = { userId: "ada", scope: "openid", sessionId, accessEpoch: 0, createdAt: NOW };
      for (const clientId of ["shop-dev", "shop-prod"])
        await store.saveGrant({ ...grant, clientId, id: `${sessionId} ${clientId}` });
    }
    await store.revokeSession("ada", "before", NOW - 1);
    await db.delete(tables.jobs);
    let transactions = 0;
    const once = <Run extends (...args: never[]) => Promise<unknown>>(run: Run) =>
      ((...args: Parameters<Run>) => (transactions++ > 0 ? Promise.reject(new Error("died")) : run(...args))) as Run;
    await end({ ...db, transaction: once(db.transaction), guarded: once(db.guarded) });
    const queued = await db.select().from(tables.jobs).orderBy(tables.jobs.id);
    expect(queued.map(({ queue, payload }) => [queue, payload])).toEqual(
      ended.map((sessionId) => [LOGOUT_NOTICE_QUEUE, { clientId: "shop-dev", userId: "ada", sessionId }]),
    );
  });

  test("a lower role ends nothing", async () => {
    await changeUser(database.db, { id: "ada", role: "developer" }, NOW);
    const after = await signedIn("after", (await user()).accessEpoch);
    await changeUser(database.db, { id: "ada", role: "viewer" }, NOW);
    expect(await lives(after)).toEqual([true, true, true]);
  });

  test("a sign-in or a grant in progress while the role is raised is dead when it is written", async () => {
    const { accessEpoch } = await user();
    await changeUser(database.db, { id: "ada", role: "admin" }, NOW);
    expect(await lives(await signedIn("late", accessEpoch))).toEqual([false, false, false]);
    expect(await store.listSessions("ada", NOW)).toEqual([]);
  });

  test("disabling ends them for good: enabling again brings nothing back, not even what was written meanwhile", async () => {
    const before = await signedIn("before", 0);
    expect(await updateUserDisabled(database.db, { id: "ada", disabled: true }, NOW)).toBe(true);
    const meanwhile = await signedIn("meanwhile", 0);
    await updateUserDisabled(database.db, { id: "ada", disabled: false }, NOW);
    expect(await lives(before)).toEqual([false, false, false]);
    expect(await lives(meanwhile)).toEqual([false, false, false]);
    expect(await lives(await signedIn("again", (await user()).accessEpoch))).toEqual([true, true, true]);
  });

  test.each<["self" | null]>([["self"], [null]])(
    "RG-06 an account made by %s gets no role and no password unless it is adopted",
    async (by) => {
      await registered(by);
      expect(await changeUser(database.db, { id: "ada", role: "viewer" }, NOW)).toBe(false);
      expect(await changeUser(database.db, { id: "ada", passwordHash: "$new" }, NOW)).toBe(false);
      expect(await changeUser(database.db, { id: "ada", name: "Ada L." }, NOW)).toBe(true);
      expect(await user()).toMatchObject({ role: "user", name: "Ada L.", accessEpoch: 0 });
      await registered(by, NOW);
      expect(await changeUser(database.db, { id: "ada", role: "viewer" }, NOW)).toBe(true);
    },
  );

  test("RG-05 adopting an account ends all its access, once; an operator's account is left alone", async () => {
    await registered("self");
    const before = await signedIn("before", 0);
    for (const userId of ["ada", "bob"])
      await store.saveConsent({ userId, clientId: "shop-dev", scope: "api:read", ...SHOWN, now: NOW });
    const adoption = { id: "ada", name: "Ada", role: "admin", passwordHash: "$adopted" } as const;
    expect(await takeOverUser(database.db, adoption, NOW)).toBe(true);
    expect(await lives(before)).toEqual([false, false, false]);
    expect(await store.findConsent("ada", "shop-dev")).toBeUndefined();
    expect(await store.findConsent("bob", "shop-dev")).toMatchObject({ scope: "api:read" });
    expect(await user()).toMatchObject({ role: "admin", registeredBy: "operator" });

    await store.saveConsent({ userId: "ada", clientId: "shop-dev", scope: "api:read", ...SHOWN, now: NOW });
    const after = await signedIn("after", (await user()).accessEpoch);
    expect(await takeOverUser(database.db, { ...adoption, passwordHash: "$again" }, NOW)).toBe(false);
    expect(await lives(after)).toEqual([true, true, true]);
    expect((await store.findConsent("ada", "shop-dev"))?.scope).toBe("api:read");
  });

  test("signing out everywhere ends our own apps' tokens, and those of others if asked; one session may stay", async () => {
    const [here, there] = [await signedIn("here", 0), await signedIn("there", 0)];
    await store.saveConsent({ userId: "ada", clientId: "shop-dev", scope: "api:read", ...SHOWN, now: NOW });
    expect(await signOutEverywhere(database.db, { userId: "ada", keep: "here", apps: false }, NOW)).toEqual(["there"]);
    expect([await lives(here), await lives(there)]).toEqual([
      [true, true, false],
      [false, true, false],
    ]);
    expect((await store.findConsent("ada", "shop-dev"))?.scope).toBe("api:read");
    expect(await signOutEverywhere(database.db, { userId: "ada", apps: true }, NOW)).toEqual(["here"]);
    expect([await lives(here), await lives(there)]).toEqual([
      [false, false, false],
      [false, false, false],
    ]);
    expect(await store.findConsent("ada", "shop-dev")).toBeUndefined();
  });

  test("CO-62 signing out everywhere without a session to keep ends every grant, and keeps the consents unless asked", async () => {
    const here = await signedIn("here", 0);
    await store.saveConsent({ userId: "ada", clientId: "shop-dev", scope: "api:read", ...SHOWN, now: NOW });
    expect(await signOutEverywhere(database.db, { userId: "ada", apps: false }, NOW)).toEqual(["here"]);
    expect(await lives(here)).toEqual([false, false, false]);
    expect((await store.findConsent("ada", "shop-dev"))?.scope).toBe("api:read");
    await signOutEverywhere(database.db, { userId: "ada", apps: true }, NOW);
    expect(await store.findConsent("ada", "shop-dev")).toBeUndefined();
  });

  test("UM-04 signing out everywhere ends sign-ins that wait for their second step; keeping a session, it does not", async () => {
    expect(await user()).toMatchObject({ signInEpoch: 0 });
    await signOutEverywhere(database.db, { userId: "ada", keep: "here", apps: false }, NOW);
    expect(await user()).toMatchObject({ signInEpoch: 0 });
    await signOutEverywhere(database.db, { userId: "ada", apps: false }, NOW);
    expect(await user()).toMatchObject({ signInEpoch: 1 });
  });

  test.each([undefined, "here"])(
    "UM-04 SN-01 a sign-in or a grant in progress while its user signs out everywhere is dead when it is written; kept: %s",
    async (keep) => {
      const { accessEpoch } = await user();
      const here = await signedIn("here", accessEpoch);
      await signOutEverywhere(database.db, { userId: "ada", keep, apps: false }, NOW);
      expect(await lives(await signedIn("late", accessEpoch))).toEqual([false, false, false]);
      expect(await lives(here)).toEqual([keep !== undefined, keep !== undefined, false]);
      expect(await store.listSessions("ada", NOW)).toHaveLength(keep === undefined ? 0 : 1);
    },
  );

  test("signing out everywhere else keeps the grants of the remaining session", async () => {
    const grant = (id: string, sessionId: string) =>
      store.saveGrant({
        id,
        userId: "ada",
        clientId: "shop-dev",
        scope: "openid",
        sessionId,
        accessEpoch: 0,
        createdAt: NOW,
      });
    await grant("of here", "here");
    await grant("of there", "there");
    await signOutEverywhere(database.db, { userId: "ada", keep: "here", apps: false }, NOW);
    const { db } = database;
    const { tables } = db;
    const rows = await db.select({ id: tables.grants.id, revokedAt: tables.grants.revokedAt }).from(tables.grants);
    expect(Object.fromEntries(rows.map(({ id, revokedAt }) => [id, revokedAt]))).toEqual({
      "of here": null,
      "of there": NOW,
    });
  });
});
