import { type Hash, sha256 } from "@gatehouse/auth";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findApiToken } from "../stores/accounts/api-tokens.ts";
import { countRecoveryCodes } from "../stores/accounts/second-factors.ts";
import { listLiveSlots } from "../stores/auth/preview-slots.ts";
import { createAuthStore } from "../stores/auth/store.ts";
import { engines, type TestDatabase } from "../testing/engines.ts";
import { NOW, seed } from "../testing/people.ts";
import { endAllCredentials } from "./end-all.ts";

describe.each(engines)("ending all access on $name, OP-52", ({ open }) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await open();
    await seed(database.db);
  });
  afterAll(() => database.close());

  test("OP-52 ends sessions, grants with their tokens, clients' own and API tokens, pending requests, mailed links, invitations, remembered browsers, recovery codes and preview slots; a second time ends nothing", async () => {
    const { db } = database;
    const { tables: t } = db;
    const store = createAuthStore(db);
    const by = { clientId: "shop-dev", userId: "ada", scope: "api:read" };
    const token = {
      ...by,
      clientEpoch: 0,
      audience: "https://api.example",
      context: null,
      environment: "development",
      issuedAt: NOW,
    } as const;
    const expires = { expiresAt: NOW + 600 };
    await store.saveGrant({ ...by, id: "grant", sessionId: null, createdAt: NOW, accessEpoch: 0 });
    await store.saveAccessToken({ ...token, ...expires, hash: sha256("of the grant"), id: "a", grantId: "grant" });
    await store.saveAccessToken({ ...token, ...expires, hash: sha256("own"), id: "b", grantId: null, userId: null });
    await db.insert(t.sessions).values({
      ...expires,
      hash: sha256("session") as Hash,
      id: "session",
      userId: "ada",
      authTime: NOW,
      userAgent: null,
      address: null,
      createdAt: NOW,
      lastSeenAt: NOW,
      absoluteExpiresAt: NOW + 600,
      revokedAt: null,
    });
    await db.insert(t.initialAccessTokens).values([
      { hash: sha256("for ever") as Hash, name: "for ever", createdAt: NOW },
      { hash: sha256("over") as Hash, name: "over", createdAt: NOW, expiresAt: NOW - 1 },
    ]);
    const mailed = { purpose: "reset", userId: "ada", email: "ada@example.com", createdAt: NOW } as const;
    await db.insert(t.mailedTokens).values([
      { ...mailed, ...expires, hash: sha256("mailed") },
      { ...mailed, ...expires, hash: sha256("spent"), spentAt: NOW },
    ]);
    await db.insert(t.invitations).values({
      ...expires,
      id: "i",
      email: "cy@example.com",
      role: "user",
      hash: sha256("i"),
      invitedBy: "ada",
      createdAt: NOW,
    });
    await db.insert(t.rememberedBrowsers).values({
      ...expires,
      id: "b",
      hash: sha256("b"),
      userId: "ada",
      signInEpoch: 0,
      createdAt: NOW,
      lastUsedAt: NOW,
    });
    await db.insert(t.recoveryCodes).values([
      { hash: sha256("unused"), userId: "ada", createdAt: NOW },
      { hash: sha256("used"), userId: "ada", createdAt: NOW, usedAt: NOW },
    ]);
    const apiToken = {
      hint: "abcd",
      name: "CI",
      makerId: "ada",
      scopes: ["clients:read"],
      environments: [],
      createdAt: NOW,
    } as const;
    const nowhere = { firstPartyOrigins: [] as string[] };
    await db.insert(t.apiTokens).values([
      {
        ...apiToken,
        ...nowhere,
        ...expires,
        scopes: [...apiToken.scopes],
        environments: [],
        id: "live",
        hash: sha256("live"),
      },
      {
        ...apiToken,
        ...nowhere,
        ...expires,
        scopes: [],
        environments: [],
        id: "revoked",
        hash: sha256("revoked"),
        endedAt: NOW - 5,
      },
    ]);
    const slot = { clientId: "shop-dev", makerId: "ada", makerName: "Ada", createdAt: NOW, renewedAt: NOW };
    await db.insert(t.previewSlots).values([
      { ...slot, id: "slot", key: "7", redirectUri: "https://pr-7.shop.example/callback", endsAt: NOW + 600 },
      { ...slot, id: "over", key: "6", redirectUri: "https://pr-6.shop.example/callback", endsAt: NOW - 5 },
    ]);

    expect(await endAllCredentials(db, NOW + 1)).toEqual({
      sessions: 1,
      grants: 1,
      device_codes: 0,
      pushed_requests: 0,
      initial_access_tokens: 1,
      mailed_tokens: 1,
      invitations: 1,
      remembered_browsers: 1,
      recovery_codes: 1,
      api_tokens: 1,
      preview_slots: 1,
    });
    expect((await findApiToken(db, sha256("live")))?.token.endedAt).toBe(NOW + 1);
    expect((await findApiToken(db, sha256("revoked")))?.token.endedAt).toBe(NOW - 5);
    expect(await countRecoveryCodes(db, "ada")).toBe(0);
    expect(await listLiveSlots(db, "shop-dev", { now: NOW + 1, limit: 10 })).toEqual([]);
    for (const secret of ["of the grant", "own"])
      expect((await store.findAccessToken(sha256(secret)))?.revokedAt).toBe(0);
    expect((await db.select().from(t.sessions))[0]?.revokedAt).toBe(NOW + 1);
    expect((await db.select().from(t.grants))[0]).toMatchObject({
      revokedAt: NOW + 1,
      revokedReason: "restored from a backup",
    });
    expect(await store.spendInitialAccessToken(sha256("for ever"), NOW + 1)).toBe(false);
    expect(Object.values(await endAllCredentials(db, NOW + 2)).reduce((sum, ended) => sum + ended, 0)).toBe(0);
  });

  test("OP-52 moves every client to an epoch that it never had, also if it was created or restored this second", async () => {
    const { db } = database;
    const { tables: t } = db;
    await db.update(t.clients).set({ accessEpoch: NOW }).where(eq(t.clients.id, "shop-dev"));
    await db.update(t.clients).set({ accessEpoch: 3 }).where(eq(t.clients.id, "shop-prod"));
    const epochs = async () =>
      (await db.select({ epoch: t.clients.accessEpoch }).from(t.clients).orderBy(t.clients.id)).map(
        ({ epoch }) => epoch,
      );
    await endAllCredentials(database.db, NOW);
    expect(await epochs()).toEqual([NOW + 1, NOW]);
    await endAllCredentials(database.db, NOW);
    expect(await epochs()).toEqual([NOW + 2, NOW + 1]);
  });

  test("OP-52 ends what has no row: codes of authenticator apps up to now, and what was sealed in any epoch before", async () => {
    const { db } = database;
    const { tables: t } = db;
    await db.insert(t.totpSecrets).values({ userId: "ada", secret: "sealed", lastStep: 5, createdAt: NOW });
    await db.update(t.users).set({ accessEpoch: 3, signInEpoch: 4 });
    const later = NOW + 60;
    await endAllCredentials(database.db, later);
    expect((await db.select().from(t.totpSecrets))[0]?.lastStep).toBe(Math.floor(later / 30) + 1);
    for (const user of await db.select().from(t.users))
      expect(user).toMatchObject({ accessEpoch: later, signInEpoch: later });
    await db.update(t.users).set({ signInEpoch: later + 9 });
    await endAllCredentials(database.db, later + 1);
    for (const user of await db.select().from(t.users))
      expect(user).toMatchObject({ accessEpoch: later + 1, signInEpoch: later + 9 });
  });
});
