import type { Hash } from "@gatehouse/auth";
import { FOLLOW_INDEX } from "@gatehouse/db/postgres/db";
import type { Position } from "@gatehouse/db/query/page";
import { type FoundRows, SCAN_ROWS } from "@gatehouse/db/query/scan";
import { listNewestSessions } from "@gatehouse/db/stores/auth/sessions";
import { engines, type TestDatabase } from "@gatehouse/db/testing/engines";
import { examinedRows, recordingDb, type Sent } from "@gatehouse/db/testing/plans";
import { deliveryIdsFrom } from "@gatehouse/webhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listApplicationRows } from "./applications/list-queries.ts";
import { listDeliveryRows } from "./deliveries/queries.ts";
import { listRefusalRows } from "./failures/queries.ts";
import { type ApplicationFilter, type DeliveryFilter, REFUSAL_FILTERS } from "./lists/lists.ts";
import { listUserRows } from "./users/queries.ts";

const ROWS = 60_000;
const OLDEST = 1_700_000_000;
const at = (row: number) => OLDEST + row;
const idOf = (row: number) => `${deliveryIdsFrom(at(row))}-7000-8000-${1_000_000 + row}`;
/** When a row arrived, in milliseconds: the start of its id. */
const MS = `(cast(${OLDEST} as bigint) + i) * 1000`;

/**
 * Row 1 is the oldest. The endpoint svix, of production today, received in staging, and once in development. Every
 * 1000th delivery is rejected, and every 5000th user is a developer.
 */
const FILL = [
  `insert into webhook_deliveries (id, endpoint, environment, received_at, method, outcome, reason, status, event_type, event_id, headers, body, ack_ms, source)
   select substr(HEX, 1, 8) || '-' || substr(HEX, 9) || '-7000-8000-' || (1000000 + i), case when i % 3 = 0 then 'svix' else 'stripe' end,
     case when i = 3 then 'development' when i % 3 = 0 then 'staging' else 'production' end, ${OLDEST} + i, 'POST',
     case when i % 1000 = 0 then 'rejected' else 'accepted' end,
     case when i = 1000 then 'unparsable' when i % 1000 = 0 then 'signature_missing' else 'accepted' end,
     200, case when i = 2 then 'rare.type' else 'invoice.paid' end, 'evt-' || (i / 2), '{}', BODY, 1, 'http' from numbers`,
  `insert into users (id, email, name, password_hash, role, created_at)
   select 'usr-' || (1000000 + i), 'person-' || i || '@example.com', case when i = 3 then 'Ada' else 'Somebody' end, 'none',
     case when i % 5000 = 0 then 'developer' else 'user' end, ${OLDEST} + i from numbers`,
  `insert into applications (id, name, description, created_at)
   select 'app-' || (1000000 + i), 'Application ' || i, case when i = 4 then 'the first shop' else '' end, ${OLDEST} + i from numbers`,
  `insert into refusal_groups (key, cause, endpoint, difference, first_at, last_at, count, resolved_at)
   select 'group-' || i, 'code_expired', '/token', '', ${OLDEST}, ${OLDEST} + i, 50, case when i = 1 then ${OLDEST} + i end
     from numbers where i <= ${ROWS / 50}`,
  `insert into refusals (error_id, at, endpoint, error, cause, message, detail, group_key)
   select 'E' || (1000000 + i), ${OLDEST} + i, '/token', 'invalid_grant', 'code_expired', '', '{}', 'group-' || ((i + 49) / 50) from numbers`,
];

const APPLICATIONS: readonly ApplicationFilter[] = [
  {},
  { query: "none" },
  { query: "Application 9" },
  { query: "last" },
  { environment: "production", type: "web", origin: "registered" },
  { state: "off" },
  { state: "never_used" },
  { state: "silent" },
  { state: "secret_ends", query: "shop" },
  { state: "secret_unused" },
  { state: "managed" },
];

async function fill(database: TestDatabase): Promise<void> {
  const numbers = `with recursive numbers(i) as (select 1 union all select i + 1 from numbers where i < ${ROWS})`;
  for (const statement of FILL) {
    const [into = "", select = ""] = statement.split(
      /(?=select substr|select 'usr|select 'app|select 'group|select 'E')/,
    );
    const { engine } = database;
    if (engine.dialect === "sqlite")
      engine.connection.exec(
        `${into} ${numbers} ${select.replaceAll("HEX", `printf('%012x', ${MS})`).replace("BODY", "x''")}`,
      );
    else {
      const filled = select
        .replaceAll("HEX", `lpad(to_hex(${MS}), 12, '0')`)
        .replace("BODY", "''::bytea")
        .replace("'{}'", "'{}'::json");
      await engine.pool.query(`${into} ${numbers} ${filled}`);
    }
  }
  if (database.engine.dialect === "postgres") await database.engine.pool.query("analyze");
}

describe.each(engines)("CO-55 the console's lists, on $name", ({ open }) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await open({ fresh: true });
    await fill(database);
  });
  afterAll(() => database.close());

  const deliveries = (filter: DeliveryFilter, position?: Position, most?: number) =>
    listDeliveryRows(database.reads, filter, { position, limit: 50, maxRows: most });

  test("a filter that matches nothing new stops at the last row that a call examines and continues there, until every row was examined", async () => {
    const filter = { eventType: "rare.type" };
    const first = await deliveries(filter);
    const stoppedAt = (row: number) => ({ at: at(row), id: idOf(row) });
    expect(first).toEqual({ rows: [], searchedTo: stoppedAt(ROWS - SCAN_ROWS + 1) });
    expect(await deliveries(filter, first.searchedTo, 5000)).toMatchObject({
      rows: [],
      searchedTo: { at: at(ROWS - SCAN_ROWS - 4999) },
    });
    const second = await deliveries(filter, first.searchedTo);
    expect(second).toEqual({ rows: [], searchedTo: stoppedAt(ROWS - 2 * SCAN_ROWS + 1) });
    expect(await deliveries(filter, second.searchedTo)).toMatchObject({
      rows: [{ receivedAt: at(2) }],
      searchedTo: undefined,
    });
  });

  test.each([1, 7, 40, 1000])("searches of %i rows at a time find together what one search finds", async (most) => {
    const filter = { provider: "svix", outcome: "accepted", from: at(ROWS - 300), to: at(ROWS - 5) } as const;
    const found: string[] = [];
    let position: Position | undefined;
    do {
      const page: FoundRows<{ id: string; receivedAt: number }> = await deliveries(filter, position, most);
      expect(page.rows.length).toBeLessThanOrEqual(51);
      const rows = page.rows.slice(0, 50);
      found.push(...rows.map(({ id }) => id));
      const last = rows.at(-1);
      position = page.searchedTo ?? (page.rows.length > 50 && last ? { at: last.receivedAt, id: last.id } : undefined);
    } while (position);
    const expected = Array.from({ length: 296 }, (_, back) => ROWS - 5 - back).filter(
      (row) => row % 3 === 0 && row % 1000 !== 0,
    );
    expect(found).toEqual(expected.map(idOf));
  });

  test.each<[string, DeliveryFilter, number]>([
    ["an outcome", { outcome: "rejected" }, 51],
    ["a reason, which has an outcome of its own", { reason: "unparsable" }, 1],
    ["a provider", { provider: "svix" }, 51],
    ["a provider and an outcome", { provider: "svix", outcome: "rejected" }, 20],
    ["an environment", { environment: "development" }, 1],
    ["an environment and a provider", { environment: "development", provider: "svix" }, 1],
    ["an environment that the endpoint has left", { environment: "staging", endpoint: "svix" }, 51],
  ])("%s is found in one call, however old", async (_, filter, count) => {
    const { rows, searchedTo } = await deliveries(filter);
    expect({ count: rows.length, searchedTo }).toEqual({ count, searchedTo: undefined });
  });

  test("CO-62 a role of the console, a prefix of a name or address, and an exact address are found in one call, however old", async () => {
    const users = (query: string | undefined, role?: "developer", position?: Position) =>
      listUserRows(database.reads, { query, role }, position, 50);
    expect(await users(undefined, "developer")).toMatchObject({ rows: { length: ROWS / 5000 }, searchedTo: undefined });
    expect(await users("ADA")).toMatchObject({ rows: [{ name: "Ada" }], searchedTo: undefined });
    expect(await users("person-1234")).toMatchObject({ rows: { length: 11 }, searchedTo: undefined });

    const first = await users("Person-7@example.com");
    expect(first).toMatchObject({ rows: [], first: { email: "person-7@example.com" }, searchedTo: undefined });
    expect(await users("person-7@example.com", "developer")).not.toHaveProperty("first");
    const older = await users("person-7@example.com", undefined, { at: at(100), id: "usr-1000100" });
    expect(older).toEqual({ rows: [], searchedTo: undefined });
  });

  test("CO-62 a search for a common prefix loses nobody: it continues until every user was examined", async () => {
    const { db } = database;
    const { tables } = db;
    const withApp = [2, 1_999, 30_007, ROWS - 1].map((row) => `usr-${1_000_000 + row}`);
    await db
      .insert(tables.totpSecrets)
      .values(withApp.map((userId) => ({ userId, secret: "sealed", lastStep: 1, createdAt: at(1) })));
    const search = async (filter: { query: string; secondFactor?: "some" }) => {
      const found: string[] = [];
      let position: Position | undefined;
      let calls = 0;
      do {
        const page = await listUserRows(database.reads, filter, position, 1_000);
        calls += 1;
        const rows = page.rows.slice(0, 1_000);
        found.push(...rows.map(({ id }) => id));
        const last = rows.at(-1);
        position =
          page.searchedTo ?? (page.rows.length > 1_000 && last ? { at: last.createdAt, id: last.id } : undefined);
      } while (position);
      return { found, calls };
    };
    const { found, calls } = await search({ query: "person-", secondFactor: "some" });
    expect({ found, calls }).toEqual({ found: withApp.toReversed(), calls: Math.ceil(ROWS / SCAN_ROWS) });
    const starting = Array.from({ length: ROWS }, (_, row) => row + 1).filter((row) => `${row}`.startsWith("10"));
    expect((await search({ query: "person-10" })).found).toHaveLength(starting.length);
    expect((await search({ query: "person-109" })).found).toHaveLength(
      starting.filter((row) => `${row}`.startsWith("109")).length,
    );
    await db.delete(tables.totpSecrets);
  });

  test("CO-19 a search for applications stops too; an exact name comes first", async () => {
    const list = (filter: ApplicationFilter) =>
      listApplicationRows(database.reads, { filter, position: undefined, limit: 25, now: at(ROWS) });
    const stopped = { at: at(ROWS - SCAN_ROWS + 1) };
    expect(await list({ query: "first shop" })).toMatchObject({ rows: [], searchedTo: stopped });
    expect(await list({ environment: "staging" })).toMatchObject({ rows: [], searchedTo: stopped });
    const last = { at: 0, id: "app-1000004" };
    const named = { filter: { query: "first shop", sort: "name" }, position: last, limit: 25, now: at(ROWS) } as const;
    expect(await listApplicationRows(database.reads, named)).toMatchObject({ rows: [] });
    const exact = await list({ query: "Application 9" });
    expect(exact).toMatchObject({ first: { name: "Application 9" }, rows: expect.any(Array) });
  });

  test("CO-46 a search for failures by their state stops too, and goes on where it stopped", async () => {
    const search = (position?: Position) =>
      listRefusalRows(database.reads, { state: "resolved", now: at(ROWS) }, position, 50);
    const stoppedAt = (row: number) => ({ at: at(row), id: `E${1_000_000 + row}` });
    expect(await search()).toEqual({ rows: [], searchedTo: stoppedAt(ROWS - SCAN_ROWS + 1) });
    expect(await search(stoppedAt(ROWS - SCAN_ROWS + 1))).toEqual({
      rows: [],
      searchedTo: stoppedAt(ROWS - 2 * SCAN_ROWS + 1),
    });
    const { rows, searchedTo } = await search(stoppedAt(ROWS - 2 * SCAN_ROWS + 1));
    expect([rows.length, rows[0]?.at, searchedTo]).toEqual([50, at(50), undefined]);
  });

  test("lists the newest live sessions of a user with many", async () => {
    const { db } = database;
    const { tables } = db;
    const userId = "usr-1000001";
    const rows = Array.from({ length: 30 }, (_, row) => ({
      hash: `hash-${row}` as Hash,
      id: `session-${row + 10}`,
      userId,
      authTime: at(row),
      userAgent: null,
      address: null,
      createdAt: at(row),
      lastSeenAt: at(row),
      expiresAt: at(1000),
      absoluteExpiresAt: at(1000),
      revokedAt: row % 2 === 0 ? at(row) : null,
    }));
    await db.insert(tables.sessions).values(rows);
    const listed = await listNewestSessions(database.reads, userId, at(500), 3);
    expect(listed.map(({ id }) => id)).toEqual(["session-39", "session-37", "session-35"]);
    expect(await listNewestSessions(database.reads, userId, at(2000), 3)).toEqual([]);
  });

  test("CO-18 no list examines more rows than that in one statement, whatever the filter", async () => {
    const sent: Sent[] = [];
    const db = recordingDb(database, sent);
    const somewhere = { at: at(55_000), id: idOf(55_000) };
    const values = {
      provider: "svix",
      outcome: "accepted",
      reason: "duplicate",
      eventType: "none",
      eventId: "evt-7",
      from: at(5),
    } as const;
    const names = Object.keys(values) as (keyof typeof values)[];
    const combined = Array.from(
      { length: 2 ** names.length },
      (_, bits): DeliveryFilter =>
        Object.fromEntries(names.filter((_name, place) => bits & (1 << place)).map((name) => [name, values[name]])),
    );
    const also: DeliveryFilter[] = [
      {},
      { environment: "production" },
      { environment: "staging", endpoint: "svix" },
      { handlerState: "failed" },
      { handlerState: "handled", environment: "production" },
    ];
    const filters = combined.flatMap((filter, place) =>
      (place % 3 === 0 ? also : [{}]).map((more) => ({ ...filter, ...more })),
    );
    for (const filter of filters)
      await listDeliveryRows(db, filter, { position: filter["from"] ? somewhere : undefined, limit: 50 });
    for (const query of [undefined, "nobody", "some", "person-7@example.com"])
      for (const role of [undefined, "user", "admin"] as const) await listUserRows(db, { query, role }, undefined, 50);
    const position = { at: at(30_000), id: "app-1030000" };
    await listApplicationRows(db, {
      filter: { query: "none", sort: "name" },
      position: undefined,
      limit: 25,
      now: at(ROWS),
    });
    for (const sort of [undefined, "name", "lastToken", "refusals"] as const)
      for (const filter of APPLICATIONS) {
        await listApplicationRows(db, {
          filter: { ...filter, sort },
          position,
          limit: 25,
          now: at(ROWS),
          maxRows: 5_000,
        });
      }
    await listNewestSessions(db, "usr-1000001", at(0), 200);
    for (const filter of [
      { clientId: "web", cause: "code_expired" },
      ...REFUSAL_FILTERS.state.values.map((state) => ({ state })),
    ] as const)
      await listRefusalRows(db, { ...filter, now: at(ROWS) }, undefined, 50);

    const exceeding: [number, string][] = [];
    const distinct = new Map(sent.map((statement) => [JSON.stringify(statement), statement]));
    for (const statement of distinct.values()) {
      const rows = await examinedRows(database, statement, FOLLOW_INDEX);
      if (rows > SCAN_ROWS + 1) exceeding.push([rows, statement.sql]);
    }
    expect(exceeding).toEqual([]);
  });
});
