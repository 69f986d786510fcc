import { asc, eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { engines } from "../testing/index.ts";
import { openMigrated } from "../testing/migrated.ts";

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
  ...[".0.0.1", ".0.1", ".1", ".example", ".example:8443", ".fjord.example:8443", "127.0.0.1", "[::1]:4000", "bare.example"],
  ...["query.example", "shop.fjord.example:8443"],
].map((host) => `redirect ${host}`);
const DOCUMENT = [".client.example", ".example", "app.client.example"].map((host) => `document ${host}`);

const COLUMNS = `id, application_id, name, environment, type, redirect_uris, post_logout_redirect_uris, grant_types, scopes, first_party,
  resource_server, refresh_retry_seconds, created_at, updated_at, document_host`;
const insert = (id: string, uris: readonly string[], documentHost: string | null) =>
  `insert into clients (${COLUMNS}) values ('${id}', 'shop', '${id}', 'production', 'web', '${JSON.stringify(uris)}', '[]', '[]', '[]', false,
     false, 30, 1, 1, ${documentHost === null ? "null" : `'${documentHost}'`})`;
const ROWS = [
  "insert into applications (id, name, created_at) values ('shop', 'Shop', 1)",
  insert("old", URIS, "app.client.example"),
  insert("none", [], null),
];

describe.each(engines)("the hosts of clients on $name", (engine) => {
  let migrated: Awaited<ReturnType<typeof openMigrated>>;
  beforeAll(async () => {
    migrated = await openMigrated(engine, { lastBefore: "0031_installation_logo", rows: ROWS });
  });
  afterAll(() => migrated.close());

  async function hostsOf(clientId: string): Promise<string[]> {
    const { db, tables } = migrated.handle;
    const { clientHosts: h } = tables;
    const rows = await db.select().from(h).where(eq(h.clientId, clientId)).orderBy(asc(h.kind), asc(h.host));
    return rows.map(({ kind, host }) => `${kind} ${host}`);
  }

  test("CO-19 the migration finds those of the clients that exist", async () => {
    expect(await hostsOf("old")).toEqual([...DOCUMENT, ...REDIRECTS]);
    expect(await hostsOf("none")).toEqual([]);
  });

  test("CO-19 they follow a client that is added, changed and deleted", async () => {
    const { db, tables } = migrated.handle;
    const { clients } = tables;
    const [old] = await db.select().from(clients).where(eq(clients.id, "old"));
    if (!old) return expect.fail("no client");
    const ofNew = eq(clients.id, "new");
    await db.insert(clients).values({ ...old, id: "new", name: "New" });
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
    await db.delete(clients).where(eq(clients.id, "old"));
    expect(await hostsOf("old")).toEqual([]);
  });

  test("CO-19 a redirect host of more than 128 characters, which strangers can register, has no rows; a metadata document's host has all", async () => {
    const { db, tables } = migrated.handle;
    const { clients } = tables;
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
