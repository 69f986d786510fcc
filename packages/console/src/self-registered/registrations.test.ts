import { randomBytes } from "node:crypto";
import { mintAccessToken, type NewDynamicClient, type Store, sha256 } from "@gatehouse/auth";
import { insertInitialAccessToken } from "@gatehouse/db/stores/auth/dynamic-registrations";
import { createAuthStore } from "@gatehouse/db/stores/auth/store";
import { sweep } from "@gatehouse/db/sweep/sweep";
import { engines, type TestDatabase } from "@gatehouse/db/testing/engines";
import { NOW, seed } from "@gatehouse/db/testing/people";
import { aFamily } from "@gatehouse/db/testing/refresh-families";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { approveClient, findSelfRegistered } from "./queries.ts";

const DAY = 86_400;

describe.each(engines)("clients that no admin registered, on $name", ({ open }) => {
  let database: TestDatabase;
  let store: Store;
  let count = 0;

  beforeAll(async () => {
    database = await open();
    await seed(database.db);
    store = createAuthStore(database.db);
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
    await store.saveGrant({
      id,
      clientId,
      userId: "ada",
      scope: "api:read",
      sessionId: null,
      accessEpoch: 0,
      createdAt: NOW,
    });
    await store.saveRefreshFamily(aFamily(id, { createdAt: NOW, expiresAt }));
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

  test("DC-07 replacing writes the new metadata; removing deletes everything of the client", async () => {
    const client = await added();
    await store.replaceDynamicClient({ ...client, applicationName: "Renamed", scopes: [] }, NOW + 1);
    expect(await store.findClient(client.clientId)).toMatchObject({ applicationName: "Renamed", scopes: [] });

    await grantOf(client, NOW + DAY);
    await store.removeDynamicClient(client.clientId);
    expect(await store.findClient(client.clientId)).toBeUndefined();
    expect(await store.findRefreshFamily(`grant of ${client.clientId}`)).toBeUndefined();
  });

  const approve = (clientId: string, version: number) => approveClient(database.db, clientId, { at: NOW, version }, []);
  const versionOf = async (clientId: string) => (await findSelfRegistered(database.db, clientId))?.version ?? 0;
  const isApproved = async (clientId: string) => (await store.findClient(clientId))?.approved === true;

  const CHANGES: Partial<NewDynamicClient>[] = [
    { applicationName: "Payroll (official)" },
    { type: "web" },
    { redirectUris: ["http://localhost/other"] },
    { postLogoutRedirectUris: ["http://localhost/bye"] },
    { grantTypes: ["authorization_code", "refresh_token"] },
    { scopes: ["api:read", "api:write"] },
    { options: { clientName: "Stranger", logoUri: "https://logo.example/bank.png" } },
    { options: { clientName: "Stranger", tosUri: "https://terms.example" } },
    { options: { clientName: "Stranger", jwksUri: "https://keys.example" } },
    { options: { clientName: "Stranger", backchannelLogoutUri: "https://notice.example" } },
  ];
  test.each(CHANGES)("CO-61 an approval ends when %j changes, and stays ended when it changes back", async (change) => {
    const client = await added();
    const { clientId } = client;
    expect(await approve(clientId, await versionOf(clientId))).toBe(true);
    await store.replaceDynamicClient(client, NOW + 1);
    expect(await isApproved(clientId)).toBe(true);
    await store.replaceDynamicClient({ ...client, ...change }, NOW + 2);
    expect(await isApproved(clientId)).toBe(false);
    await store.replaceDynamicClient(client, NOW + 3);
    expect(await isApproved(clientId)).toBe(false);
  });

  test("CO-61 an approval is of the version that was read: after a change, that version is approved no more", async () => {
    const client = await added();
    const { clientId } = client;
    const read = await versionOf(clientId);
    await store.replaceDynamicClient({ ...client, scopes: ["api:write"] }, NOW + 1);
    expect(await approve(clientId, read)).toBe(false);
    await store.replaceDynamicClient(client, NOW + 2);
    expect(await approve(clientId, read)).toBe(false);
    expect(await isApproved(clientId)).toBe(false);
  });

  test("CO-61 of an approval and a change that race, the approval never is of what nobody read", async () => {
    for (let turn = 0; turn < 10; turn++) {
      const client = await added();
      const { clientId } = client;
      const read = await versionOf(clientId);
      await Promise.all([
        approve(clientId, read),
        store.replaceDynamicClient({ ...client, scopes: ["api:write"] }, NOW),
      ]);
      expect(await isApproved(clientId)).toBe(false);
    }
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
    await Promise.all(Array.from({ length: 10 }, () => store.saveDocumentClient(client, NOW)));
    await store.saveDocumentClient({ ...client, scopes: ["api:write"] }, NOW + 1);
    expect(await store.findClient(client.clientId)).toMatchObject({
      origin: "metadata_document",
      scopes: ["api:write"],
    });
  });

  test("CI-06 tokens of a document's client stay dead when it is deleted and its document is read again", async () => {
    const clientId = "https://again.example/client";
    const { registrationTokenHash: _, secret: __, ...client } = draft({ clientId, applicationId: "again" });
    await store.saveDocumentClient(client, NOW);
    const clientEpoch = (await store.findClient(clientId))?.accessEpoch ?? expect.fail("no client");
    const { hash } = mintAccessToken(NOW + DAY, randomBytes);
    const of = { clientId, clientEpoch, grantId: null, userId: null, scope: "api:read", audience: "a", context: null };
    await store.saveAccessToken({
      ...of,
      hash,
      id: "id",
      environment: "production",
      issuedAt: NOW,
      expiresAt: NOW + DAY,
    });
    expect(await store.findAccessToken(hash)).toMatchObject({ revokedAt: null, clientEnabled: true });
    await database.db.delete(database.db.tables.applications).where(eq(database.db.tables.applications.id, "again"));
    expect(await store.findAccessToken(hash)).toMatchObject({ clientEnabled: false });
    await store.saveDocumentClient(client, NOW + 1);
    expect(await store.findAccessToken(hash)).toMatchObject({ revokedAt: 0, clientEnabled: true });
    await database.db.delete(database.db.tables.applications).where(eq(database.db.tables.applications.id, "again"));
  });

  test("DC-06 of 50 racing registrations, as many succeed as the token allows", async () => {
    const token = { hash: sha256("three"), name: "CI", remaining: 3, expiresAt: NOW + 60, createdAt: NOW };
    await insertInitialAccessToken(database.db, token);
    const spent = await Promise.all(Array.from({ length: 50 }, () => store.spendInitialAccessToken(token.hash, NOW)));
    expect(spent.filter(Boolean)).toHaveLength(3);
    await insertInitialAccessToken(database.db, { ...token, hash: sha256("any"), remaining: null });
    expect(await store.spendInitialAccessToken(sha256("any"), NOW)).toBe(true);
    expect(await store.spendInitialAccessToken(sha256("any"), NOW + 60)).toBe(false);
    expect((await store.findInitialAccessToken(sha256("any")))?.remaining).toBeNull();
  });

  test("DC-06 a client that no user allowed is deleted after a day, an idle one after ninety days, and none with a live grant", async () => {
    const { clients } = database.db.tables;
    const unconfirmed = await added(NOW - DAY);
    const young = await added(NOW - DAY + 1);
    const unconfirmedInUse = await added(NOW - DAY);
    await grantOf(unconfirmedInUse, NOW + 60);
    const idle = await added(NOW - 200 * DAY);
    await store.confirmClient(idle.clientId, NOW - 90 * DAY);
    const used = await added(NOW - 200 * DAY);
    await store.confirmClient(used.clientId, NOW - 150 * DAY);
    await store.touchClient(used.clientId, NOW - 88 * DAY);
    const idleButAlive = await added(NOW - 200 * DAY);
    await store.confirmClient(idleButAlive.clientId, NOW - 150 * DAY);
    await grantOf(idleButAlive, NOW + 1);

    const before = await store.countUnconfirmedClients(1000);
    await sweep(database.db, NOW);
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

    // Its access token may live for a day after the ten minutes in which a device fetches it.
    await sweep(database.db, NOW + DAY + 599);
    expect(await left(idleButAlive)).toBe(true);
    await sweep(database.db, NOW + DAY + 600);
    expect(await left(idleButAlive)).toBe(false);
    const [row] = await database.db.select().from(clients).where(eq(clients.id, used.clientId));
    expect(row?.lastUsedAt).toBe(NOW - 88 * DAY);
  });
});
