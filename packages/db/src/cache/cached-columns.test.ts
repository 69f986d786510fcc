import { type Hash, sha256 } from "@gatehouse/auth";
import type Sqlite from "better-sqlite3";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createVersionReader } from "../sqlite/cache-versions.ts";
import { createAccountStore } from "../stores/accounts/store.ts";
import { createAuthStore } from "../stores/auth/store.ts";
import { createWebhookStore } from "../stores/webhooks/store.ts";
import { engines, type TestDatabase } from "../testing/engines.ts";
import { NOW, seed } from "../testing/people.ts";
import { CACHES, type CacheName } from "./caches.ts";

let database: TestDatabase;
let connection: Sqlite.Database;

beforeAll(async () => {
  const opened = await engines.find(({ name }) => name === "sqlite")?.open();
  if (opened?.engine.dialect !== "sqlite") throw new Error("expected SQLite");
  database = opened;
  connection = opened.engine.connection;
  const { db } = opened;
  await seed(db);
  const store = createAuthStore(db);
  const of = { clientId: "shop-dev", userId: "ada", scope: "" } as const;
  await store.saveGrant({ ...of, id: "grant", sessionId: null, accessEpoch: 0, createdAt: NOW });
  const times = { issuedAt: NOW, expiresAt: 4_000_000_000 };
  const token = {
    id: "token",
    grantId: "grant",
    clientEpoch: 0,
    audience: "",
    context: null,
    environment: "development",
  } as const;
  await store.saveAccessToken({ ...of, ...token, ...times, hash: sha256("token") });
  const { webhookEndpoints, webhookSecrets, signInProviders } = db.tables;
  await db
    .insert(webhookEndpoints)
    .values({ slug: "stripe", provider: "stripe", environment: "production", settings: {}, createdAt: NOW });
  const secret = { kind: "signing", sealed: "", hash: "" as Hash, hint: "", createdAt: NOW } as const;
  await db.insert(webhookSecrets).values({ ...secret, id: "w", endpoint: "stripe" });
  const provider = {
    preset: "google",
    name: "",
    clientId: "",
    settings: {},
    position: 1,
    enabled: true,
    createdAt: NOW,
    updatedAt: NOW,
  } as const;
  await db.insert(signInProviders).values({ ...provider, id: "google" });
});
afterAll(() => database.close());

/** What fills each cache: on first use, it prepares the cached queries. */
const FILLS: [string, () => Promise<unknown>, (table: string) => CacheName | undefined][] = [
  ["clients", () => createAuthStore(database.db).findClient("shop-dev"), () => "clients"],
  [
    "access tokens, with what can end them",
    () => createAuthStore(database.db).findAccessToken(sha256("token")),
    (table) => (Object.keys(CACHES) as CacheName[]).find((name) => CACHES[name] === table),
  ],
  [
    "webhook endpoints",
    () => createWebhookStore(database.db, { open: () => undefined }).findEndpoint("stripe"),
    () => "webhookEndpoints",
  ],
  ["sign-in providers", () => createAccountStore(database.db).listSignInProviders(), () => "signInProviders"],
];

test.each(FILLS)(
  "on SQLite every column that a cached query reads is counted, and each row of its tables: %s",
  async (_, fill, cacheOf) => {
    const prepare = vi.spyOn(connection, "prepare");
    await fill();
    const queries = prepare.mock.calls
      .map(([sql]) => sql)
      .filter((sql) => /^select/i.test(sql) && !sql.includes("cache_versions"));
    prepare.mockRestore();
    expect(queries).not.toEqual([]);
    for (const query of queries) {
      for (const [table, columns] of columnsReadBy(query)) {
        const cache = cacheOf(table);
        if (!cache) throw new Error(`no cache is named after ${table}`);
        expect(columns.length).toBeGreaterThan(0);
        for (const column of columns) {
          expect(changedBy(`UPDATE "${table}" SET "${column}" = "${column}"`), `${table}.${column}`).toContain(cache);
        }
        expect(changedBy(`DELETE FROM "${table}"`), table).toContain(cache);
      }
    }
  },
);

test.each([
  ["client_secrets", "clients"],
  ["webhook_secrets", "webhookEndpoints"],
  ["sign_in_providers", "signInProviders"],
] as const)("on SQLite a new row of %s, which a cached list lacks, is counted", (table, cache) => {
  const columns = connection.pragma(`table_info(${table})`) as { name: string }[];
  const values = columns.map(({ name }) => (["id", "hash"].includes(name) ? `"${name}" || 'x'` : `"${name}"`));
  expect(changedBy(`INSERT INTO ${table} SELECT ${values.join(", ")} FROM ${table}`)).toContain(cache);
});

test("PostgreSQL notes the changes of the same columns and rows, and truncated tables besides", async () => {
  const postgres = await engines.find(({ name }) => name === "postgres")?.open({ fresh: true }); // partitions have triggers of their own
  if (postgres?.engine.dialect !== "postgres") throw new Error("expected PostgreSQL");
  const { rows } = await postgres.engine.pool.query<{ sql: string }>(
    "SELECT pg_get_triggerdef(oid) AS sql FROM pg_trigger WHERE tgname LIKE 'cached%' AND NOT tgisinternal",
  );
  await postgres.close();
  const noted = rows.map(({ sql }) =>
    /AFTER (.+) ON (?:public\.)?(\w+) FOR EACH (?:ROW|STATEMENT).*note_cache_change\('(\w+)'\)/.exec(sql)?.slice(1),
  );
  const counted = (
    connection
      .prepare("SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'cached%'")
      .pluck()
      .all() as string[]
  ).map((sql) =>
    /AFTER (.+) ON `(\w+)`[\s\S]*SET "(\w+)"/
      .exec(sql.replace(/OF ".+(?= ON)/, (columns) => columns.replaceAll('"', "")))
      ?.slice(1),
  );
  const truncated = [...new Set(counted.map((trigger) => trigger?.slice(1).join()))].map((trigger) => [
    "TRUNCATE",
    ...(trigger ?? "").split(","),
  ]);
  expect(noted.map(String).sort()).toEqual([...counted, ...truncated].map(String).sort());
});

/** The caches whose version a statement changes; it is rolled back, and must change a row. */
function changedBy(sql: string): CacheName[] {
  const before = createVersionReader(connection).read();
  connection.exec("SAVEPOINT attempt");
  try {
    expect(connection.prepare(sql).run().changes, sql).toBeGreaterThan(0);
    const after = createVersionReader(connection).read();
    return (Object.keys(before) as CacheName[]).filter((cache) => after[cache] !== before[cache]);
  } finally {
    connection.exec("ROLLBACK TO attempt; RELEASE attempt");
  }
}

type Instruction = { opcode: string; p1: number; p2: number };

/** By table, the columns that SQLite's program for a query reads, also through an index. */
function columnsReadBy(query: string): Map<string, string[]> {
  const values = query.match(/\?/g)?.map(() => null) ?? [];
  const program = connection.prepare<null[], Instruction>(`EXPLAIN ${query}`).all(...values);
  const treeAt = connection.prepare<[number], { name: string; tbl_name: string; type: string }>(
    "SELECT name, tbl_name, type FROM sqlite_master WHERE rootpage = ?",
  );
  const cursors = new Map<number, { table: string; columns: (string | null)[] }>();
  const read = new Map<string, Set<string>>();
  for (const { opcode, p1, p2 } of program) {
    if (opcode === "OpenRead") {
      const tree = treeAt.get(p2);
      if (!tree) throw new Error(`no tree at page ${p2}`);
      const { name, tbl_name: table, type } = tree;
      const columns =
        type === "table"
          ? columnsOf(table)
          : (connection.pragma(`index_xinfo("${name}")`) as { name: string | null }[]);
      cursors.set(p1, { table, columns: columns.map((column) => column.name) });
      if (!read.has(table)) read.set(table, new Set());
      // An index is searched by its first column.
      if (type === "index" && columns[0]?.name) read.get(table)?.add(columns[0].name);
    }
    const cursor = cursors.get(p1);
    const column = opcode === "Column" ? cursor?.columns[p2] : undefined;
    if (cursor && column) read.get(cursor.table)?.add(column);
  }
  return new Map([...read].map(([table, columns]) => [table, [...columns]]));
}

/** In the order in which the table's tree has them: a table WITHOUT ROWID begins with its key. */
function columnsOf(table: string): { name: string | null }[] {
  const lists = connection.pragma(`index_list("${table}")`) as { name: string; origin: string }[];
  const [{ wr } = { wr: 0 }] = connection.pragma(`table_list("${table}")`) as { wr: number }[];
  const key = lists.find(({ origin }) => origin === "pk");
  return (
    wr && key ? connection.pragma(`index_xinfo("${key.name}")`) : connection.pragma(`table_info("${table}")`)
  ) as { name: string }[];
}
