import { type Hash, type NewRefreshFamily, type Store, sha256 } from "@gatehouse/auth";
import { PASSWORD_SIGN_IN } from "@gatehouse/auth/testing";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect } from "vitest";
import { createAuthStore } from "../stores/auth/store.ts";
import type { TestDatabase, TestEngine } from "./engines.ts";
import { NOW, seed } from "./people.ts";
import { aFamily } from "./refresh-families.ts";

export const RACERS = 50;
export const winners = (results: boolean[]) => results.filter(Boolean).length;
export const race = (run: () => Promise<boolean>) => Promise.all(Array.from({ length: RACERS }, run));

/** The status of a credential that nothing has ended. */
export const GOOD = { grantRevokedAt: null, clientEnabled: true, userDisabledAt: null };
/** The user of {@link seed}, as the store returns her with a credential. */
export const ADA = {
  email: "ada@example.com",
  name: "Ada",
  role: "user",
  emailVerifiedAt: null,
  locale: null,
  pictureId: null,
  profileChangedAt: null,
};

/** A seeded database for all tests of a `describe`, its store, and functions that save rows with ids of their own. */
export function openAuthStore(open: TestEngine["open"]) {
  const it = {} as { database: TestDatabase; store: Store };
  let count = 0;
  const fresh = (kind: string) => `${kind}-${++count}`;
  const freshHash = (kind: string): Hash => sha256(fresh(kind));

  beforeAll(async () => {
    it.database = await open();
    await seed(it.database.db);
    it.store = createAuthStore(it.database.db);
  });
  afterAll(() => it.database.close());

  async function aGrant(change: { userId?: string; clientId?: string; scope?: string } = {}): Promise<string> {
    const id = fresh("grant");
    await it.store.saveGrant({
      id,
      userId: "ada",
      clientId: "shop-dev",
      scope: "api:read",
      sessionId: null,
      accessEpoch: 0,
      createdAt: NOW,
      ...change,
    });
    return id;
  }
  async function aCode(change: { expiresAt?: number } = {}) {
    const hash = freshHash("code");
    const code = {
      hash,
      grantId: await aGrant(),
      clientId: "shop-dev",
      userId: "ada",
      redirectUri: "http://localhost:4000/callback",
      codeChallenge: "challenge",
      context: null,
      scope: "api:read",
      audience: "https://gate.example/api https://stock.example/",
      authTime: NOW - 5,
      createdAt: NOW,
      expiresAt: NOW + 60,
      ...change,
    };
    await it.store.saveCode(code);
    return code;
  }
  type Change = {
    grantId?: string | null;
    userId?: string | null;
    clientId?: string;
    clientEpoch?: number;
    expiresAt?: number;
  };
  async function anAccessToken(change: Change = {}) {
    const token = {
      hash: freshHash("access"),
      id: fresh("jti"),
      grantId: change.grantId === undefined ? await aGrant() : change.grantId,
      clientId: "shop-dev",
      userId: "ada",
      scope: "api:read",
      audience: "http://localhost:3000/api",
      clientEpoch: 0,
      context: null,
      environment: "development" as const,
      issuedAt: NOW,
      expiresAt: NOW + 600,
    };
    const row = { ...token, ...change, grantId: token.grantId };
    await it.store.saveAccessToken(row);
    return row;
  }
  async function aRefreshFamily(change: Partial<NewRefreshFamily> = {}) {
    const times = { createdAt: NOW, expiresAt: NOW + 1000, absoluteExpiresAt: NOW + 2000 };
    const family = aFamily(change.grantId ?? (await aGrant()), { ...times, ...change });
    await it.store.saveRefreshFamily(family);
    return family;
  }
  async function aDeviceCode(change: { userCode?: string; expiresAt?: number } = {}) {
    const row = {
      hash: freshHash("device"),
      userCode: fresh("UC"),
      clientId: "shop-dev",
      scope: "api:read",
      audience: null,
      requestedAddress: "127.0.0.1",
      requestedUserAgent: null,
      exemptionId: null,
      intervalSeconds: 5,
      createdAt: NOW,
      expiresAt: NOW + 600,
      ...change,
    };
    expect(await it.store.saveDeviceCode(row)).toBe(true);
    return row;
  }
  async function aSession(change: { userId?: string; expiresAt?: number; absoluteExpiresAt?: number } = {}) {
    const row = {
      hash: freshHash("session"),
      id: fresh("session-id"),
      userId: "ada",
      authTime: NOW,
      userAgent: null,
      address: null,
      ...PASSWORD_SIGN_IN,
      createdAt: NOW,
      lastSeenAt: NOW,
      expiresAt: NOW + 1000,
      absoluteExpiresAt: NOW + 2000,
      accessEpoch: 0,
      ...change,
    };
    await it.store.saveSession(row);
    return row;
  }
  async function switched(what: "client" | "user", off: boolean): Promise<void> {
    const { clients, users } = it.database.db.tables;
    const disabledAt = off ? NOW : null;
    if (what === "client") await it.database.db.update(clients).set({ disabledAt }).where(eq(clients.id, "shop-dev"));
    else await it.database.db.update(users).set({ disabledAt }).where(eq(users.id, "ada"));
  }
  /** The two tokens that a code or a refresh token is spent for. */
  function bought(grantId: string) {
    const common = {
      context: null,
      grantId,
      clientId: "shop-dev",
      userId: "ada",
      scope: "api:read",
      audience: "http://localhost:3000/api",
    };
    const access = {
      id: fresh("jti"),
      clientEpoch: 0,
      environment: "development" as const,
      issuedAt: NOW,
      expiresAt: NOW + 600,
    };
    const times = { createdAt: NOW, expiresAt: NOW + 1000, absoluteExpiresAt: NOW + 2000 };
    return {
      accessToken: { ...common, ...access, hash: freshHash("access") },
      refreshFamily: aFamily(grantId, { ...times, id: fresh("family") }),
    };
  }
  const isThere = async ({ accessToken, refreshFamily }: ReturnType<typeof bought>) => [
    (await it.store.findAccessToken(accessToken.hash)) !== undefined,
    (await it.store.findRefreshFamily(refreshFamily.id)) !== undefined,
  ];

  return Object.assign(it, {
    fresh,
    freshHash,
    aGrant,
    aCode,
    anAccessToken,
    aRefreshFamily,
    aDeviceCode,
    aSession,
    switched,
    bought,
    isThere,
  });
}
