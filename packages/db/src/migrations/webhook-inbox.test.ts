import { createHash } from "node:crypto";
import { asc } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LOGOUT_NOTICE_QUEUE } from "../queries/jobs.ts";
import { engines } from "../testing/index.ts";
import { openMigrated } from "../testing/migrated.ts";

const LAST_BEFORE = "0010_bounded_scans";
const ids = ["a", "b", "c", "d"].map((letter) => `018bcfe5-6800-7000-8000-${letter.repeat(12)}`);
const keyOf = (text: string) => createHash("sha256").update(text).digest().subarray(0, 16);

/** What an installation had before: two logout notices, one provider with a secret, an event that came twice, one without an id, a rejected request. */
const ROWS = [
  "insert into applications (id, name, created_at) values ('shop', 'Shop', 1)",
  `insert into clients (id, application_id, environment, type, redirect_uris, post_logout_redirect_uris, grant_types, scopes, first_party,
     resource_server, refresh_retry_seconds, created_at, updated_at)
   values ('shop-web', 'shop', 'production', 'web', '[]', '[]', '[]', '[]', false, false, 30, 1, 1)`,
  `insert into logout_notices (id, client_id, user_id, session_id, attempts, next_attempt_at, created_at, done_at, last_error)
   values ('s1.shop-web', 'shop-web', 'ada', 's1', 2, 50, 40, null, 'answered 500'), ('s2.shop-web', 'shop-web', 'ada', 's2', 1, 0, 40, 41, null)`,
  "insert into webhook_providers (provider, created_at, disabled_at) values ('stripe', 10, null), ('polar', 20, 30)",
  `insert into webhook_secrets (id, provider, sealed, hash, hint, name, created_at, last_matched_at)
   values ('s1', 'stripe', 'sealed', 'hash', '6789', 'live', 10, 40)`,
  `insert into webhook_events (id, provider, dedupe_key, event_type, delivery_id, received_at)
   values ('${ids[0]}', 'stripe', 'id:evt_é', 'invoice.paid', '${ids[0]}', 100), ('${ids[2]}', 'stripe', 'body:abc', null, '${ids[2]}', 102)`,
  ...[
    [ids[0], "accepted", "accepted", "'evt_é'"],
    [ids[1], "duplicate", "duplicate", "'evt_é'"],
    [ids[2], "accepted", "accepted", "null"],
    [ids[3], "rejected", "unparsable", "'evt_é'"],
  ].map(
    ([id, outcome, reason, eventId]) =>
      `insert into webhook_deliveries (id, provider, received_at, method, outcome, reason, status, event_id, headers, body, ack_ms)
       values ('${id}', 'stripe', 100, 'POST', '${outcome}', '${reason}', 200, ${eventId}, '{"b":"1","a":"2"}', 'x', 1)`,
  ),
  `insert into webhook_overflow (provider, reason, minute_at, count)
   values ('stripe', 'signature_missing', 3600, 2), ('stripe', 'signature_missing', 3660, 3), ('unknown', 'provider_unknown', 7200, 1)`,
];

describe.each(engines)("the migration to webhook endpoints and jobs on $name", (engine) => {
  let migrated: Awaited<ReturnType<typeof openMigrated>>;
  beforeAll(async () => {
    migrated = await openMigrated(engine, { lastBefore: LAST_BEFORE, rows: ROWS });
  });
  afterAll(() => migrated.close());

  const rows = () => migrated.handle;

  test("a provider is the endpoint of the same name, in production, with its secrets", async () => {
    const { db, tables: t } = rows();
    expect(await db.select().from(t.webhookEndpoints).orderBy(t.webhookEndpoints.slug)).toMatchObject([
      { slug: "polar", provider: "polar", environment: "production", settings: {}, createdAt: 20, disabledAt: 30 },
      { slug: "stripe", provider: "stripe", environment: "production", settings: {}, createdAt: 10, disabledAt: null },
    ]);
    expect(await db.select().from(t.webhookSecrets)).toMatchObject([
      { id: "s1", endpoint: "stripe", kind: "signing", sealed: "sealed", hint: "6789", name: "live", lastMatchedAt: 40 },
    ]);
  });

  test("every delivery is kept and linked to its event; an event's key is that of its next retry", async () => {
    const { db, tables: t } = rows();
    const paid = keyOf("id:evt_é");
    const deliveries = await db.select().from(t.webhookDeliveries).orderBy(asc(t.webhookDeliveries.id));
    expect(deliveries.map(({ id, eventKey }) => [id, eventKey])).toEqual([
      [ids[0], paid],
      [ids[1], paid],
      [ids[2], keyOf("body:abc")],
      [ids[3], null],
    ]);
    expect(deliveries[0]).toMatchObject({ endpoint: "stripe", source: "http", headers: { b: "1", a: "2" }, body: Buffer.from("x") });
    const events = await db.select().from(t.webhookEvents).orderBy(t.webhookEvents.receivedAt);
    expect(events).toEqual([
      { endpoint: "stripe", key: paid, deliveryId: ids[0], receivedAt: 100, eventType: "invoice.paid", state: "stored" },
      { endpoint: "stripe", key: keyOf("body:abc"), deliveryId: ids[2], receivedAt: 102, eventType: null, state: "stored" },
    ]);
  });

  test("a pending logout notice is a job, and its attempts count", async () => {
    const { db, tables: t } = rows();
    expect(await db.select().from(t.jobs)).toMatchObject([
      {
        ...{ id: "s1.shop-web", queue: LOGOUT_NOTICE_QUEUE, orderKey: null, attempts: 2, runAt: 50, createdAt: 40, deadAt: null },
        ...{ lastError: "answered 500", payload: { clientId: "shop-web", userId: "ada", sessionId: "s1" } },
      },
    ]);
  });

  test("requests that had no row are counted by hour and day", async () => {
    const { db, tables: t } = rows();
    const [stripe, unknown] = ["stripe/signature_missing", "unknown/provider_unknown"];
    expect(await db.select().from(t.statHour).orderBy(t.statHour.at)).toEqual([
      { at: 3600, environment: "production", metric: "webhook_overflow", key: stripe, count: 5 },
      { at: 7200, environment: "", metric: "webhook_overflow", key: unknown, count: 1 },
    ]);
    expect(await db.select().from(t.statDay).orderBy(t.statDay.key)).toMatchObject([
      { at: 0, key: stripe, count: 5 },
      { at: 0, key: unknown, count: 1 },
    ]);
  });
});
