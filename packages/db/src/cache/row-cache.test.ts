import { randomBytes } from "node:crypto";
import { mintAccessToken, sha256, storageHash } from "@gatehouse/auth";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openDatabase } from "../database.ts";
import type { Db } from "../query/db.ts";
import { createAuthStore } from "../stores/auth/store.ts";
import { engines, type TestDatabase } from "../testing/engines.ts";
import { NOW, seed } from "../testing/people.ts";
import { cacheRows } from "./row-cache.ts";

const TOKEN = {
  id: "token",
  grantId: "grant",
  clientId: "shop-dev",
  clientEpoch: 0,
  userId: "ada",
  scope: "api:read",
  audience: "https://api.example",
  context: null,
  environment: "development",
  issuedAt: NOW,
  expiresAt: 4_000_000_000,
} as const;

describe.each(engines)("cached rows on $name", ({ open }) => {
  let database: TestDatabase;
  let other: Awaited<ReturnType<typeof openDatabase>>;
  beforeAll(async () => {
    database = await open();
    await seed(database.db);
    other = await openDatabase(database.url); // as another process has it
  });
  afterAll(async () => {
    await other.close();
    await database.close();
  });

  const here = () => database.db;
  const elsewhere = () => other.db;
  const setDisabled = (db: Db, disabledAt: number | null) => {
    const { clients } = db.tables;
    return db.update(clients).set({ disabledAt }).where(eq(clients.id, "shop-dev"));
  };
  const setRevoked = (db: Db, revokedAt: number | null) => {
    const { clientSecrets } = db.tables;
    return db.update(clientSecrets).set({ revokedAt }).where(eq(clientSecrets.clientId, "shop-dev"));
  };

  test.each([
    ["this process", here],
    ["another process", elsewhere],
  ])("a client disabled or a secret revoked by %s is refused with the very next request", async (_, by) => {
    const store = createAuthStore(database.db);
    const seen = async () => {
      const client = await store.findClient("shop-dev");
      return [client?.enabled, client?.secrets[0]?.revokedAt];
    };
    for (let again = 0; again < 3; again++) {
      expect(await seen()).toEqual([true, null]);
      await setDisabled(by(), NOW);
      expect(await seen()).toEqual([false, null]);
      await setRevoked(by(), NOW);
      expect(await seen()).toEqual([false, NOW]);
      await setDisabled(by(), null);
      await setRevoked(by(), null);
    }
  });

  test.each([
    ["this process", here],
    ["another process", elsewhere],
  ])("everything that ends an access token, done by %s, ends it for the very next request", async (_, by) => {
    const store = createAuthStore(database.db);
    const db = by();
    const { tables } = db;
    const ends: [
      string,
      () => Promise<unknown>,
      (token: Awaited<ReturnType<typeof store.findAccessToken>>) => unknown,
    ][] = [
      ["the token", () => createAuthStore(by()).revokeAccessToken(hash, NOW), (token) => token?.revokedAt],
      ["its grant", () => createAuthStore(by()).revokeGrant("grant", "test", NOW), (token) => token?.grantRevokedAt],
      ["its client", () => setDisabled(by(), NOW), (token) => (token?.clientEnabled ? null : NOW)],
      [
        "its user",
        () => db.update(tables.users).set({ disabledAt: NOW }).where(eq(tables.users.id, "ada")),
        (token) => token?.userDisabledAt,
      ],
      ["its row", () => db.delete(tables.accessTokens), (token) => (token ? null : NOW)],
    ];
    const { secret, hash } = mintAccessToken(NOW + 600, randomBytes);
    for (const [what, end, ended] of ends) {
      await createAuthStore(elsewhere()).saveGrant({
        id: "grant",
        clientId: "shop-dev",
        userId: "ada",
        scope: "",
        sessionId: null,
        accessEpoch: 0,
        createdAt: NOW,
      });
      await store.saveAccessToken({ ...TOKEN, hash });
      for (let again = 0; again < 3; again++)
        expect(ended(await store.findAccessToken(storageHash(secret))), what).toBeNull();
      await end();
      expect(ended(await store.findAccessToken(storageHash(secret))), what).toBe(NOW);
      await db.delete(tables.accessTokens);
      await db.delete(tables.grants);
      await db.update(tables.users).set({ disabledAt: null });
      await setDisabled(by(), null);
    }
  });

  test("a new secret of another process works with the very next request", async () => {
    const store = createAuthStore(database.db);
    const before = (await store.findClient("shop-dev"))?.secrets.length ?? 0;
    const row = { id: "secret-2", clientId: "shop-dev", hash: sha256("another"), hint: "ther", createdAt: NOW };
    await other.db.insert(other.db.tables.clientSecrets).values(row);
    expect((await store.findClient("shop-dev"))?.secrets).toHaveLength(before + 1);
  });

  test("that a token's user is missing is not cached", async () => {
    const store = createAuthStore(database.db);
    const { hash } = mintAccessToken(TOKEN.expiresAt, randomBytes);
    await store.saveAccessToken({ ...TOKEN, hash, grantId: null, userId: "late" });
    expect(await store.findAccessToken(hash)).toMatchObject({ userDisabledAt: 0, user: null });
    const db = elsewhere();
    const { tables } = db;
    await db
      .insert(tables.users)
      .values({ id: "late", email: "late@example.com", name: "Late", role: "user", createdAt: NOW });
    expect(await store.findAccessToken(hash)).toMatchObject({ userDisabledAt: null, user: { name: "Late" } });
  });

  test("a missing row is not cached", async () => {
    const keys: string[] = [];
    const find = cacheRows(database.db, "clients", async (key) => void keys.push(key));
    await find("a");
    await find("a");
    expect(keys).toEqual(["a", "a"]);
  });
});

test.each(engines)("on $name a cached row is read again only after a write that can change it", async ({ open }) => {
  const database = await open();
  await seed(database.db);
  let loads = 0;
  const find = cacheRows(database.db, "clients", async () => ++loads);
  const cached = await find("a");
  expect(await find("a")).toBe(cached);
  await createAuthStore(database.db).saveGrant({
    id: "g",
    clientId: "shop-dev",
    userId: "ada",
    scope: "",
    sessionId: null,
    accessEpoch: 0,
    createdAt: NOW,
  });
  expect(await find("a")).toBe(cached);
  await database.db.delete(database.db.tables.clients);
  expect(await find("a")).toBe((cached ?? 0) + 1);
  await database.close();
});

test("on PostgreSQL a row that was read before a change became known is not cached", async () => {
  const database = await engines.find(({ name }) => name === "postgres")?.open();
  if (!database) throw new Error("expected PostgreSQL");
  await seed(database.db);
  const other = await openDatabase(database.url);
  const { clients } = database.db.tables;
  let during = async () => {};
  const find = cacheRows(database.db, "clients", async () => {
    const [row] = await database.db.select().from(clients).where(eq(clients.id, "shop-dev"));
    await during();
    return row;
  });
  await find("a");
  await other.db.update(clients).set({ firstParty: true });
  during = async () => {
    await other.db.update(clients).set({ disabledAt: NOW });
    await database.db.versions.read(); // another request learns of it
  };
  expect(await find("a")).toMatchObject({ firstParty: true, disabledAt: null });
  during = async () => {};
  expect(await find("a")).toMatchObject({ disabledAt: NOW });
  await other.close();
  await database.close();
});
