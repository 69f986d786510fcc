import { FOLLOW_INDEX } from "@gatehouse/db/postgres/db";
import type { Db } from "@gatehouse/db/query/db";
import { listConnectedApps } from "@gatehouse/db/stores/auth/consents";
import { countUnconfirmedClients } from "@gatehouse/db/stores/auth/dynamic-registrations";
import { deleteUnusedClients } from "@gatehouse/db/stores/auth/unused-clients";
import { engines, type TestDatabase } from "@gatehouse/db/testing/engines";
import { NOW, seed } from "@gatehouse/db/testing/people";
import { examinedRows, recordingDb, type Sent } from "@gatehouse/db/testing/plans";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listTouchedObjects, type ManagedKey } from "./managed/queries.ts";

const DAY = 86_400;
const CLIENTS = 20_000;
/** Every 20th client, not yet allowed by a user: a crowd. */
const UNCONFIRMED = CLIENTS / 20;
const GRANTS = 2000;
const TOKENS = 5000;
const MANAGED = 6000;
const LOGGED = 10_000;

/**
 * Half of the clients were registered by an admin; the others registered themselves and are in use. Ada's newest grant
 * has many tokens.
 */
const FILL: [into: string, select: string, rows: number][] = [
  ["applications (id, name, created_at)", `'app-' || i, 'App ' || i, ${NOW} from numbers`, CLIENTS],
  [
    `clients (id, application_id, environment, type, redirect_uris, post_logout_redirect_uris, grant_types, scopes, first_party,
      resource_server, refresh_retry_seconds, options, origin, confirmed_at, last_used_at, created_at, updated_at, access_epoch)`,
    `'client-' || i, 'app-' || i, 'production', 'web', '[]', '[]', '[]', '[]', FALSE, FALSE, 30, '{}',
      case when i % 2 = 0 then 'registered' else 'dynamic' end,
      case when i % 2 = 0 or i % 20 = 1 then null else ${NOW} end,
      case when i % 2 = 0 or i % 20 = 1 then null else ${NOW} end, ${NOW} + i, ${NOW}, 0 from numbers`,
    CLIENTS,
  ],
  [
    "grants (id, client_id, user_id, scope, created_at)",
    `'grant-' || i, case when i = 1 then 'client-1' else 'shop-dev' end, 'ada', 'api:read', ${NOW} + i from numbers`,
    GRANTS,
  ],
  [
    `refresh_families (id, grant_id, scope, audience, created_at, expires_at, absolute_expires_at, generation, current_hash, previous_hash, rotated_at)`,
    `'family', 'grant-${GRANTS}', 'api:read', 'api', ${NOW}, ${NOW + DAY}, ${NOW + DAY}, ${TOKENS}, 'a', 'b', ${NOW + TOKENS} from numbers`,
    1,
  ],
  [
    "refresh_families (id, grant_id, scope, audience, created_at, expires_at, absolute_expires_at, generation, current_hash)",
    `'live', 'grant-1', 'api:read', 'api', ${NOW}, ${NOW + DAY}, ${NOW + DAY}, 0, 'c' from numbers`,
    1,
  ],
  [
    "managed_objects (kind, object, file, settings, locked, applied_at, applied_by, audit_from)",
    `'client', 'client-' || (100000 + i), 'gatehouse.json', '{}', FALSE, ${NOW}, 'Ada', 'm' from numbers`,
    MANAGED,
  ],
  // One object has a long history before its apply, and every 100th one was changed since.
  [
    "audit (id, at, actor_id, actor_name, role, via, action, object, detail)",
    `case when i <= ${MANAGED / 100} then 'n' else 'a' end || (100000 + i), ${NOW}, 'ada', 'Ada', 'admin', 'console', 'client.update',
      'client-' || (100000 + case when i <= ${MANAGED / 100} then i * 100 else 7 end), '{}' from numbers`,
    LOGGED,
  ],
];

async function fill(database: TestDatabase): Promise<void> {
  await seed(database.db);
  const { engine } = database;
  for (const [into, select, rows] of FILL) {
    const numbers = `with recursive numbers(i) as (select 1 union all select i + 1 from numbers where i < ${rows})`;
    if (engine.dialect === "sqlite") engine.connection.exec(`insert into ${into} ${numbers} select ${select}`);
    else
      await engine.pool.query(
        `insert into ${into} ${numbers} select ${select.replaceAll(/'(\[\]|\{\})'/g, "'$1'::json")}`,
      );
  }
  if (engine.dialect === "postgres") await engine.pool.query("analyze");
}

describe.each(engines)("reads that no list bounds, on $name", ({ open }) => {
  let database: TestDatabase;
  let sent: Sent[];
  /** Its reads are recorded. */
  let db: Db;
  beforeAll(async () => {
    database = await open({ fresh: true });
    await fill(database);
    sent = [];
    db = { ...database.db, ...recordingDb(database, sent) };
  });
  afterAll(() => database.close());

  async function expectAtMost(rows: number, begin = "BEGIN"): Promise<void> {
    expect(sent).not.toHaveLength(0);
    for (const statement of sent.splice(0))
      expect(await examinedRows(database, statement, begin), statement.sql).toBeLessThanOrEqual(rows);
  }

  test("DC-06 counting the unconfirmed clients reads those alone, and counts no more than asked for", async () => {
    expect(await countUnconfirmedClients(db, 2 * UNCONFIRMED)).toBe(UNCONFIRMED);
    await expectAtMost(UNCONFIRMED);
    expect(await countUnconfirmedClients(db, 10)).toBe(10);
    sent.splice(0);
  });

  test("a user's connected apps are worked out from the newest 500 grants, and the newest 50 tokens of each", async () => {
    const apps = await listConnectedApps(db, "ada", NOW + 10);
    expect(apps).toMatchObject([
      { clients: [{ clientId: "shop-dev" }], allowedAt: NOW + GRANTS, lastUsedAt: NOW + TOKENS },
    ]);
    await expectAtMost(500);
    await database.db.delete(database.db.tables.refreshFamilies);
    expect(await listConnectedApps(db, "ada", NOW + GRANTS + 1200)).toEqual([]);
    sent.splice(0);
  });

  test("CO-73 drift looks at one row of the log for each managed object, and at a bounded number of objects in a statement", async () => {
    const found: string[] = [];
    let after: ManagedKey | undefined;
    do {
      const page = await listTouchedObjects(db, { after, limit: 25, maxObjects: 1000 });
      expect(page.rows.length).toBeLessThanOrEqual(25);
      found.push(...page.rows.map(({ object }) => object));
      after = page.next;
    } while (after);
    expect(found).toEqual(Array.from({ length: MANAGED / 100 }, (_, at) => `client-${100_100 + at * 100}`));
    await expectAtMost(1000, FOLLOW_INDEX);
  });

  /** One statement counts the crowd, the others read slices. */
  async function expectSlices(): Promise<void> {
    const all = sent.splice(0);
    const isCount = ({ sql }: Sent) => sql.startsWith("select count(*)");
    sent.push(...all.filter(isCount));
    await expectAtMost(UNCONFIRMED);
    sent.push(...all.filter((one) => !isCount(one)));
    await expectAtMost(500);
  }

  test("DC-06 unused clients are found in slices of 500, and none that is in use is deleted; a crowd is deleted sooner", async () => {
    const [twoHours, half] = [2 * 3600, CLIENTS / 2];
    // The oldest has a live grant
    expect(await deleteUnusedClients(db, NOW + half + twoHours)).toBe(UNCONFIRMED / 2 - 1);
    await expectSlices();
    expect(await deleteUnusedClients(db, NOW + CLIENTS + twoHours)).toBe(0); // half a crowd has its day
    expect(await deleteUnusedClients(db, NOW + CLIENTS + DAY)).toBe(UNCONFIRMED / 2 + 1);
    await expectSlices();
    expect(await countUnconfirmedClients(db, 1000)).toBe(0);
    sent.splice(0);
    expect(await deleteUnusedClients(db, NOW + CLIENTS + 90 * DAY)).toBe(CLIENTS / 2 - UNCONFIRMED);
    expect(sent.length).toBeGreaterThan(10);
    await expectSlices();
  });
});
