import { type Hash, sha256 } from "@gatehouse/auth";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAuthStore } from "../stores/auth-store.ts";
import { engines, NOW, seed, type TestDatabase } from "../testing/index.ts";
import { endAllAccess } from "./end-all.ts";

describe.each(engines)("ending all access on $name, OP-52", ({ open }) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await open();
    await seed(database.handle);
  });
  afterAll(() => database.close());

  test("OP-52 ends sessions, grants with their tokens, clients' own tokens, pending requests, mailed links, invitations and remembered browsers; a second time ends nothing", async () => {
    const { handle } = database;
    const { db, tables: t } = handle;
    const store = createAuthStore(handle);
    const by = { clientId: "shop-dev", userId: "ada", scope: "api:read" };
    const token = { ...by, audience: "https://api.example", context: null, environment: "development", issuedAt: NOW } as const;
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
    await db
      .insert(t.invitations)
      .values({ ...expires, id: "i", email: "cy@example.com", role: "user", hash: sha256("i"), invitedBy: "ada", createdAt: NOW });
    await db
      .insert(t.rememberedBrowsers)
      .values({ ...expires, id: "b", hash: sha256("b"), userId: "ada", signInEpoch: 0, createdAt: NOW, lastUsedAt: NOW });

    expect(await endAllAccess(handle, NOW + 1)).toEqual({
      sessions: 1,
      grants: 1,
      access_tokens: 2,
      device_codes: 0,
      pushed_requests: 0,
      initial_access_tokens: 1,
      mailed_tokens: 1,
      invitations: 1,
      remembered_browsers: 1,
    });
    for (const secret of ["of the grant", "own"]) expect((await store.findAccessToken(sha256(secret)))?.revokedAt).toBe(NOW + 1);
    expect((await db.select().from(t.sessions))[0]?.revokedAt).toBe(NOW + 1);
    expect((await db.select().from(t.grants))[0]).toMatchObject({ revokedAt: NOW + 1, revokedReason: "restored from a backup" });
    expect(await store.spendInitialAccessToken(sha256("for ever"), NOW + 1)).toBe(false);
    expect(Object.values(await endAllAccess(handle, NOW + 2)).reduce((sum, ended) => sum + ended, 0)).toBe(0);
  });
});
