import type { Db } from "@gatehouse/db/query/db";
import { engines, type TestDatabase } from "@gatehouse/db/testing/engines";
import { asc, eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const URIS = [
  "https://Shop.fjord.example:8443/cb?next=https://other.example",
  "http://127.0.0.1/cb",
  "http://[::1]:4000/cb",
  "https://bare.example",
  "https://query.example?to=/cb#top",
  "https://query.example/second",
  "com.example.shop:/cb",
];
const REDIRECTS = [
  ".0.0.1",
  ".0.1",
  ".1",
  ".example",
  ".example:8443",
  ".fjord.example:8443",
  "127.0.0.1",
  "[::1]:4000",
  "bare.example",
  "query.example",
  "shop.fjord.example:8443",
].map((host) => `redirect ${host}`);
const DOCUMENT = [".client.example", ".example", "app.client.example"].map((host) => `document ${host}`);

const CLIENT = {
  applicationId: "shop",
  accessEpoch: 0,
  environment: "production",
  type: "web",
  redirectUris: [],
  postLogoutRedirectUris: [],
  grantTypes: [],
  scopes: [],
  firstParty: false,
  resourceServer: false,
  refreshRetrySeconds: 30,
  createdAt: 1,
  updatedAt: 1,
} satisfies Partial<Db["tables"]["clients"]["$inferInsert"]>;

describe.each(engines)("the hosts of clients on $name", ({ open }) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await open();
    const { db } = database;
    const { tables } = db;
    await db.insert(tables.applications).values({ id: "shop", name: "Shop", createdAt: 1 });
  });
  afterAll(() => database.close());

  async function hostsOf(clientId: string): Promise<string[]> {
    const { db } = database;
    const { clientHosts: h } = db.tables;
    const rows = await db.select().from(h).where(eq(h.clientId, clientId)).orderBy(asc(h.kind), asc(h.host));
    return rows.map(({ kind, host }) => `${kind} ${host}`);
  }

  test("CO-19 they follow a client that is added, changed and deleted", async () => {
    const { db } = database;
    const { clients } = db.tables;
    const ofNew = eq(clients.id, "new");
    await db.insert(clients).values({ ...CLIENT, id: "new", redirectUris: URIS, documentHost: "app.client.example" });
    expect(await hostsOf("new")).toEqual([...DOCUMENT, ...REDIRECTS]);
    await db.update(clients).set({ disabledAt: 2 }).where(ofNew);
    expect(await hostsOf("new")).toEqual([...DOCUMENT, ...REDIRECTS]);
    await db
      .update(clients)
      .set({ redirectUris: ["https://new.example/cb"] })
      .where(ofNew);
    expect(await hostsOf("new")).toEqual([...DOCUMENT, "redirect .example", "redirect new.example"]);
    await db.update(clients).set({ documentHost: null, redirectUris: [] }).where(ofNew);
    expect(await hostsOf("new")).toEqual([]);
    await db.update(clients).set({ redirectUris: URIS }).where(ofNew);
    expect(await hostsOf("new")).toEqual(REDIRECTS);
    await db.delete(clients).where(ofNew);
    expect(await hostsOf("new")).toEqual([]);
  });

  test("CO-19 a redirect host of more than 128 characters, which strangers can register, has no rows; a metadata document's host has all", async () => {
    const { db } = database;
    const { clients } = db.tables;
    await db.insert(clients).values({ ...CLIENT, id: "none" });
    expect(await hostsOf("none")).toEqual([]);
    const long = `${"a.".repeat(70)}example`;
    const which = eq(clients.id, "none");
    await db
      .update(clients)
      .set({ redirectUris: [`https://${long}/cb`] })
      .where(which);
    expect(await hostsOf("none")).toEqual([]);
    await db.update(clients).set({ redirectUris: [], documentHost: long }).where(which);
    expect(await hostsOf("none")).toHaveLength(71);
  });
});
