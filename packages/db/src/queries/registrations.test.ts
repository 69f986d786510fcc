import { type NewDynamicClient, type Store, sha256 } from "@gatehouse/auth";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAuthStore } from "../stores/auth-store.ts";
import { engines, NOW, seed, type TestDatabase } from "../testing/index.ts";
import { insertInitialAccessToken } from "./registrations.ts";
import { sweep } from "./sweep.ts";

const DAY = 86_400;

describe.each(engines)("clients that no admin registered, on $name", ({ open }) => {
  let database: TestDatabase;
  let store: Store;
  let count = 0;

  beforeAll(async () => {
    database = await open();
    await seed(database.handle);
    store = createAuthStore(database.handle);
  });
  afterAll(() => database.close());

  function draft(change: Partial<NewDynamicClient> = {}): NewDynamicClient {
    const id = `stranger-${++count}`;
    return {
      clientId: id,
      applicationId: `application of ${id}`,
      applicationName: `Stranger ${id}`,
      type: "native",
      redirectUris: ["http://localhost/cb"],
      postLogoutRedirectUris: [],
      grantTypes: ["authorization_code"],
      scopes: ["api:read"],
      options: { clientName: "Stranger" },
      registrationTokenHash: sha256(`token of ${id}`),
      secret: null,
      ...change,
    };
  }
  async function added(at = NOW, change: Partial<NewDynamicClient> = {}): Promise<NewDynamicClient> {
    const client = draft(change);
    await store.addDynamicClient(client, at);
    return client;
  }
  async function grantOf({ clientId }: NewDynamicClient, expiresAt: number): Promise<void> {
    const id = `grant of ${clientId}`;
    await store.saveGrant({ id, clientId, userId: "ada", scope: "api:read", sessionId: null, accessEpoch: 0, createdAt: NOW });
    const token = { hash: sha256(id), grantId: id, clientId, userId: "ada", scope: "api:read", audience: "a", context: null };
    await store.saveRefreshToken({ ...token, createdAt: NOW, expiresAt, absoluteExpiresAt: expiresAt });
  }

  test("DC-01 a registration comes back as saved, with its secret", async () => {
    const client = await added(NOW, { type: "web", secret: { id: "s1", hash: sha256("s"), hint: "abcd" } });
    const found = await store.findDynamicClient(client.clientId);
    expect(found).toMatchObject({ tokenHash: client.registrationTokenHash, createdAt: NOW });
    expect(found?.client).toMatchObject({
      origin: "dynamic",
      environment: "production",
      enabled: true,
      options: { clientName: "Stranger" },
    });
    expect(found?.client.secrets.map(({ hash }) => hash)).toEqual([sha256("s")]);
    expect(await store.findDynamicClient("shop-dev")).toBeUndefined();
  });

  test("DC-01 if the name is taken, nothing is added", async () => {
    const first = await added();
    const second = draft({ applicationName: first.applicationName });
    await expect(store.addDynamicClient(second, NOW)).rejects.toThrow();
    expect(await store.findClient(second.clientId)).toBeUndefined();
  });

  test("DC-07 replacing deletes consents on request; removing deletes everything of the client", async () => {
    const client = await added();
    await store.saveConsent({ userId: "ada", clientId: client.clientId, scope: "api:read", now: NOW });
    await store.replaceDynamicClient({ ...client, applicationName: "Renamed", scopes: [] }, false, NOW + 1);
    expect(await store.findClient(client.clientId)).toMatchObject({ applicationName: "Renamed", scopes: [] });
    expect(await store.findConsent("ada", client.clientId)).toBe("api:read");
    await store.replaceDynamicClient(client, true, NOW + 2);
    expect(await store.findConsent("ada", client.clientId)).toBeUndefined();

    await grantOf(client, NOW + DAY);
    await store.removeDynamicClient(client.clientId);
    expect(await store.findClient(client.clientId)).toBeUndefined();
    expect(await store.findRefreshToken(sha256(`grant of ${client.clientId}`))).toBeUndefined();
  });

  test("DC-07 an admin's client is not removed this way", async () => {
    await store.removeDynamicClient("shop-dev");
    expect(await store.findClient("shop-dev")).toBeDefined();
  });

  test("CI-06 many processes save one document at once, and it is one client", async () => {
    const {
      registrationTokenHash: _,
      secret: __,
      ...client
    } = draft({ clientId: "https://app.example/c", applicationId: "of the document" });
    await Promise.all(Array.from({ length: 10 }, () => store.saveDocumentClient(client, false, NOW)));
    await store.saveDocumentClient({ ...client, scopes: ["api:write"] }, false, NOW + 1);
    expect(await store.findClient(client.clientId)).toMatchObject({ origin: "metadata_document", scopes: ["api:write"] });
  });

  test("DC-06 of 50 racing registrations, as many succeed as the token allows", async () => {
    const token = { hash: sha256("three"), name: "CI", remaining: 3, expiresAt: NOW + 60, createdAt: NOW };
    await insertInitialAccessToken(database.handle, token);
    const spent = await Promise.all(Array.from({ length: 50 }, () => store.spendInitialAccessToken(token.hash, NOW)));
    expect(spent.filter(Boolean)).toHaveLength(3);
    await insertInitialAccessToken(database.handle, { ...token, hash: sha256("any"), remaining: null });
    expect(await store.spendInitialAccessToken(sha256("any"), NOW)).toBe(true);
    expect(await store.spendInitialAccessToken(sha256("any"), NOW + 60)).toBe(false);
    expect((await store.findInitialAccessToken(sha256("any")))?.remaining).toBeNull();
  });

  test("DC-06 a client that no user allowed is deleted after a day, an idle one after ninety days, and none with a live grant", async () => {
    const { clients } = database.handle.tables;
    const unconfirmed = await added(NOW - DAY);
    const young = await added(NOW - DAY + 1);
    const unconfirmedInUse = await added(NOW - DAY);
    await grantOf(unconfirmedInUse, NOW + 60);
    const idle = await added(NOW - 200 * DAY);
    await store.confirmClient(idle.clientId, NOW - 90 * DAY);
    const used = await added(NOW - 200 * DAY);
    await store.confirmClient(used.clientId, NOW - 150 * DAY);
    await store.touchClient(used.clientId, NOW - 89 * DAY);
    const idleButAlive = await added(NOW - 200 * DAY);
    await store.confirmClient(idleButAlive.clientId, NOW - 150 * DAY);
    await grantOf(idleButAlive, NOW + 1);

    const before = await store.countUnconfirmedClients(1000);
    await sweep(database.handle, NOW);
    const left = async ({ clientId }: NewDynamicClient) => (await store.findClient(clientId)) !== undefined;
    expect(await Promise.all([unconfirmed, young, unconfirmedInUse, idle, used, idleButAlive].map(left))).toEqual([
      false,
      true,
      true,
      false,
      true,
      true,
    ]);
    expect(await store.countUnconfirmedClients(1000)).toBe(before - 1);
    expect(await store.findClient("shop-dev")).toBeDefined();

    await sweep(database.handle, NOW + 1);
    expect(await left(idleButAlive)).toBe(false);
    const [row] = await database.handle.db.select().from(clients).where(eq(clients.id, used.clientId));
    expect(row?.lastUsedAt).toBe(NOW - 89 * DAY);
  });
});
