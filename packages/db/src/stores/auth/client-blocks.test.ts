import {
  type ClientBlock,
  type ClientBlockKey,
  type NewDynamicClient,
  type SelfDescribedClient,
  type Store,
  sha256,
} from "@gatehouse/auth";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sweep } from "../../sweep/sweep.ts";
import { engines, type TestDatabase } from "../../testing/engines.ts";
import { NOW, seed } from "../../testing/people.ts";
import { deleteBlock, listBlocks, saveBlock } from "./client-blocks.ts";
import { createAuthStore } from "./store.ts";

const DAY = 86_400;

describe.each(engines)("blocked clients, on $name", ({ open }) => {
  let database: TestDatabase;
  let store: Store;
  let count = 0;

  beforeAll(async () => {
    database = await open();
    await seed(database.db);
    store = createAuthStore(database.db);
  });
  afterAll(() => database.close());

  const block = (kind: ClientBlock["kind"], value: string, expiresAt: number | null = null) =>
    saveBlock(database.db, { kind, value, reason: "spam", createdAt: NOW, expiresAt }, NOW);
  const unblock = (kind: ClientBlock["kind"], value: string, now = NOW) =>
    deleteBlock(database.db, { kind, value }, now);
  const enabled = async (clientId: string) => (await store.findClient(clientId))?.enabled;

  function document(clientId: string, softwareId?: string): SelfDescribedClient {
    return {
      clientId,
      applicationId: sha256(clientId).slice(0, 22),
      applicationName: `Document ${clientId}`,
      type: "native",
      redirectUris: ["http://localhost/cb"],
      postLogoutRedirectUris: [],
      grantTypes: ["authorization_code"],
      scopes: ["api:read"],
      options: softwareId === undefined ? {} : { softwareId },
    };
  }
  function dynamic(softwareId?: string): NewDynamicClient {
    const id = `stranger-${++count}`;
    return { ...document(id, softwareId), registrationTokenHash: sha256(id), secret: null };
  }

  test("a block disables exactly the clients that it applies to, and lifting it enables them again", async () => {
    const spam = [dynamic("spam-bot"), dynamic("spam-bot")];
    const other = [dynamic("spam-bot-2"), dynamic()];
    for (const client of [...spam, ...other]) expect(await store.addDynamicClient(client, NOW)).toBe(true);
    expect(await block("software_id", "spam-bot")).toBe(2);
    expect(await Promise.all(spam.map(({ clientId }) => enabled(clientId)))).toEqual([false, false]);
    expect(await Promise.all(other.map(({ clientId }) => enabled(clientId)))).toEqual([true, true]);
    expect(await unblock("software_id", "spam-bot")).toBe(true);
    expect(await unblock("software_id", "spam-bot")).toBe(false);
    expect(await Promise.all(spam.map(({ clientId }) => enabled(clientId)))).toEqual([true, true]);
  });

  test.each([
    ["https://evil.example/c", true],
    ["https://EVIL.example/upper-case", true],
    ["https://evil.example.:8443/dot-and-port", true],
    ["https://apps.evil.example/below", true],
    ["https://notevil.example/c", false],
    ["https://evil.example.com/c", false],
    ["https://example/evil.example", false],
  ])("of a host: %s is concerned: %s", async (clientId, concerned) => {
    await store.saveDocumentClient(document(clientId), NOW);
    expect(await enabled(clientId)).toBe(true);
    await block("document_host", "evil.example");
    expect(await enabled(clientId)).toBe(!concerned);
    await unblock("document_host", "evil.example");
    expect(await enabled(clientId)).toBe(true);
  });

  test("a client under two blocks stays disabled until both are lifted", async () => {
    const id = "https://twice.example/c";
    await store.saveDocumentClient(document(id, "twice"), NOW);
    await block("document_host", "twice.example");
    await block("software_id", "twice");
    await block("client_id", id);
    for (const [kind, value] of [
      ["software_id", "twice"],
      ["document_host", "twice.example"],
    ] as const) {
      await unblock(kind, value);
      expect(await enabled(id)).toBe(false);
    }
    await unblock("client_id", id);
    expect(await enabled(id)).toBe(true);
  });

  test("no block applies to an admin's client", async () => {
    expect(await block("client_id", "shop-dev")).toBe(0);
    expect(await enabled("shop-dev")).toBe(true);
    await unblock("client_id", "shop-dev");
    expect(await enabled("shop-dev")).toBe(true);
  });

  test("CI-10 DC-06 outlives the client: when the sweeper has deleted it, its document comes back disabled and its software is refused", async () => {
    const id = "https://back.example/c";
    await store.saveDocumentClient(document(id), NOW - 2 * DAY);
    const client = dynamic("comes-back");
    await store.addDynamicClient(client, NOW - 2 * DAY);
    await block("client_id", id);
    await block("software_id", "comes-back");
    await sweep(database.db, NOW);
    expect([await enabled(id), await enabled(client.clientId)]).toEqual([undefined, undefined]);

    const key: ClientBlockKey = { kind: "client_id", value: id };
    expect(await store.isBlocked([key], NOW)).toBe(true);
    await store.saveDocumentClient(document(id), NOW);
    expect(await enabled(id)).toBe(false);
    const again = dynamic("comes-back");
    expect(await store.addDynamicClient(again, NOW)).toBe(false);
    expect(await store.findClient(again.clientId)).toBeUndefined();
    await Promise.all([unblock("client_id", id), unblock("software_id", "comes-back")]);
  });

  test("DC-07 a disabled client neither changes nor deletes itself", async () => {
    const client = dynamic("locked");
    await store.addDynamicClient(client, NOW);
    await block("client_id", client.clientId);
    expect(await store.replaceDynamicClient({ ...client, applicationName: "Changed", options: {} }, NOW)).toBe(false);
    expect(await store.removeDynamicClient(client.clientId)).toBe(false);
    expect(await store.findClient(client.clientId)).toMatchObject({
      applicationName: client.applicationName,
      options: client.options,
      enabled: false,
    });
    await unblock("client_id", client.clientId);
    expect(await store.replaceDynamicClient({ ...client, applicationName: "Changed" }, NOW)).toBe(true);
    expect(await store.removeDynamicClient(client.clientId)).toBe(true);
    expect(await store.removeDynamicClient(client.clientId)).toBe(false);
  });

  test("a client that changes its metadata to something blocked is disabled", async () => {
    const client = dynamic("harmless");
    await store.addDynamicClient(client, NOW);
    await block("software_id", "harmful");
    expect(await store.replaceDynamicClient({ ...client, options: { softwareId: "harmful" } }, NOW)).toBe(false);
    expect(await enabled(client.clientId)).toBe(false);
    const id = "https://changes.example/c";
    await store.saveDocumentClient(document(id), NOW);
    await store.saveDocumentClient(document(id, "harmful"), NOW);
    expect(await enabled(id)).toBe(false);
    await unblock("software_id", "harmful");
    expect([await enabled(client.clientId), await enabled(id)]).toEqual([true, true]);
  });

  test("when a block expires, registration works again at once and the sweeper enables the clients", async () => {
    const client = dynamic("for-a-while");
    await store.addDynamicClient(client, NOW);
    await block("software_id", "for-a-while", NOW + DAY);
    expect(await store.addDynamicClient(dynamic("for-a-while"), NOW + DAY - 1)).toBe(false);
    await sweep(database.db, NOW + DAY - 3600);
    expect(await enabled(client.clientId)).toBe(false);
    expect(await store.addDynamicClient(dynamic("for-a-while"), NOW + DAY)).toBe(true);
    await store.confirmClient(client.clientId, NOW);
    expect(await sweep(database.db, NOW + DAY)).toMatchObject({ client_blocks: 1 });
    expect(await enabled(client.clientId)).toBe(true);
    expect(await listBlocks(database.db)).toEqual([]);
  });

  test("blocking again replaces the reason and the end", async () => {
    await block("software_id", "renewed", NOW + 1);
    await block("software_id", "renewed");
    expect(await listBlocks(database.db)).toEqual([
      { kind: "software_id", value: "renewed", reason: "spam", createdAt: NOW, expiresAt: null },
    ]);
    await unblock("software_id", "renewed");
  });

  test("blocking while clients register and documents are saved leaves none enabled", async () => {
    for (let turn = 0; turn < 5; turn++) {
      const software = `racer-${turn}`;
      const clients = Array.from({ length: 10 }, () => dynamic(software));
      const documents = Array.from({ length: 10 }, (_, at) => document(`https://racer-${turn}.example/${at}`));
      const writes = [
        ...clients.map((client) => () => store.addDynamicClient(client, NOW)),
        ...documents.map((one) => () => store.saveDocumentClient(one, NOW)),
      ];
      const half = writes.filter((_, at) => at % 2 === 0);
      const rest = writes.filter((_, at) => at % 2 === 1);
      await Promise.all([
        ...half.map((write) => write()),
        block("software_id", software),
        block("document_host", `racer-${turn}.example`),
        ...rest.map((write) => write()),
      ]);
      const left = await Promise.all([...clients, ...documents].map(({ clientId }) => enabled(clientId)));
      expect(left).not.toContain(true);
    }
  });

  test("a client that changes its software id while it is being blocked is blocked all the same", async () => {
    for (let turn = 0; turn < 5; turn++) {
      const client = dynamic(`chased-${turn}`);
      await store.addDynamicClient(client, NOW);
      const [changed] = await Promise.all([
        store.replaceDynamicClient({ ...client, options: { softwareId: `fled-${turn}` } }, NOW),
        block("software_id", `chased-${turn}`),
      ]);
      // In either order: if the change reports success, the client left the blocked software id before the block.
      expect(await enabled(client.clientId)).toBe(changed);
    }
  });
});
