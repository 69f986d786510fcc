import { randomBytes } from "node:crypto";
import { mintAccessToken, mintTimeOrdered, sha256 } from "@gatehouse/auth";
import { count, min } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createAuthStore } from "../stores/auth/store.ts";
import { engines, type TestDatabase } from "../testing/engines.ts";
import { NOW, seed } from "../testing/people.ts";
import { sweepLag } from "./lag.ts";
import { createPace } from "./pace.ts";
import { sweep } from "./sweep.ts";

const DAY = 86_400;

describe.each(engines)("the sweeper on $name", ({ open }) => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await open();
    await seed(database.db);
  });
  afterEach(() => database.close());

  const rows = async (table: PgTable) => (await database.db.select({ n: count() }).from(table))[0]?.n;

  async function fill(expiresAt: number, many = 1): Promise<void> {
    const { db } = database;
    const { tables: t } = db;
    const store = createAuthStore(database.db);
    await store.saveGrant({
      id: "g",
      userId: "ada",
      clientId: "shop-dev",
      scope: "api:read",
      sessionId: null,
      accessEpoch: 0,
      createdAt: NOW,
    });
    const owner = { grantId: "g", clientId: "shop-dev", userId: "ada", scope: "api:read" };
    const at = { createdAt: NOW, expiresAt, absoluteExpiresAt: expiresAt };
    for (let index = 0; index < many; index += 100) {
      await db.insert(t.accessTokens).values(
        Array.from({ length: Math.min(100, many - index) }, (_, n) => ({
          ...owner,
          ...mintAccessToken(expiresAt, randomBytes),
          id: `${index + n}`,
          clientEpoch: 0,
          audience: "x",
          environment: "development" as const,
          issuedAt: NOW,
          expiresAt,
        })),
      );
    }
    const code = mintTimeOrdered("authorizationCode", { now: () => expiresAt - 60, random: randomBytes });
    await db
      .insert(t.authorizationCodes)
      .values({ ...owner, ...at, hash: code.hash, redirectUri: "", codeChallenge: "", authTime: NOW });
    await db
      .insert(t.refreshFamilies)
      .values({ ...owner, ...at, id: "r", currentHash: sha256("r"), generation: 0, audience: "x" });
    await db
      .insert(t.deviceCodes)
      .values({ ...at, hash: sha256("d"), userCode: "UC", clientId: "shop-dev", scope: "", intervalSeconds: 5 });
    await db
      .insert(t.sessions)
      .values({ ...at, hash: sha256("s"), id: "s", userId: "ada", authTime: NOW, lastSeenAt: NOW });
    await db.insert(t.rateLimits).values({ key: "k", points: 1, expire: expiresAt * 1000 });
    await db.insert(t.statHour).values({ at: expiresAt, environment: "production", metric: "m", key: "k", count: 1 });
  }

  const perishable = () => {
    const t = database.db.tables;
    return [
      t.accessTokens,
      t.authorizationCodes,
      t.refreshFamilies,
      t.deviceCodes,
      t.sessions,
      t.rateLimits,
      t.statHour,
    ];
  };

  test("keeps everything live", async () => {
    await fill(NOW + 1);
    await sweep(database.db, NOW);
    expect(await Promise.all(perishable().map(rows))).toEqual([1, 1, 1, 1, 1, 1, 1]);
  });

  test("keeps recently expired rows, so that replays and late tokens are still recognized", async () => {
    await fill(NOW - 60);
    await sweep(database.db, NOW);
    const t = database.db.tables;
    expect(
      await Promise.all([t.accessTokens, t.authorizationCodes, t.refreshFamilies, t.deviceCodes].map(rows)),
    ).toEqual([1, 1, 1, 1]);
  });

  test("deletes expired rows of every table in batches, and then their grant", async () => {
    await fill(NOW, 1201);
    expect(await sweep(database.db, NOW + 40 * DAY)).toMatchObject({ access_tokens: 1201, grants: 1 });
    expect(await Promise.all(perishable().map(rows))).toEqual([0, 0, 0, 0, 0, 0, 0]);
    expect(await rows(database.db.tables.grants)).toBe(0);
    expect(await rows(database.db.tables.users)).toBe(2);
  });

  test("deletes access tokens by expiry, whatever their lifetimes and the order in which they were issued", async () => {
    const { db } = database;
    const { tables: t } = db;
    const expiries = [NOW + 600, NOW - 3601, NOW - 3600, NOW + DAY, NOW - DAY];
    const common = {
      clientId: "shop-dev",
      clientEpoch: 0,
      scope: "",
      audience: "x",
      environment: "development",
      issuedAt: NOW,
    } as const;
    const minted = expiries.map((expiresAt) => ({
      ...common,
      hash: mintAccessToken(expiresAt, randomBytes).hash,
      id: "id",
      expiresAt,
    }));
    await db.insert(t.accessTokens).values(minted);
    expect(await sweep(database.db, NOW)).toMatchObject({ access_tokens: 2 });
    const left = await db.select({ expiresAt: t.accessTokens.expiresAt }).from(t.accessTokens);
    expect(left.map(({ expiresAt }) => expiresAt).toSorted((a, b) => a - b)).toEqual([
      NOW - 3600,
      NOW + 600,
      NOW + DAY,
    ]);
  });

  test("PA-04: a pushed request is kept while one of its pages may be open, then deleted", async () => {
    const { tables: t } = database.db;
    const store = createAuthStore(database.db);
    const request = {
      hash: sha256("p"),
      clientId: "shop-dev",
      parameters: "scope=api:read",
      dpopJkt: null,
      exemptionId: null,
    };
    await store.savePushedRequest({ ...request, expiresAt: NOW });
    await sweep(database.db, NOW + 3599);
    expect(await rows(t.pushedRequests)).toBe(1);
    await sweep(database.db, NOW + 3600);
    expect(await rows(t.pushedRequests)).toBe(0);
  });

  test("keeps an old grant that still has a token", async () => {
    await fill(NOW + 60 * DAY);
    await sweep(database.db, NOW + 50 * DAY);
    expect(await rows(database.db.tables.grants)).toBe(1);
  });

  test("CO-33 a retired client secret is deleted after ninety days, a live one never", async () => {
    const { db } = database;
    const { tables: t } = db;
    const retired = { id: "old", clientId: "shop-dev", hash: sha256("old"), hint: "", createdAt: NOW, revokedAt: NOW };
    await db.insert(t.clientSecrets).values(retired);
    await sweep(database.db, NOW + 89 * DAY);
    expect(await rows(t.clientSecrets)).toBe(2);
    await sweep(database.db, NOW + 400 * DAY);
    expect((await db.select().from(t.clientSecrets)).map(({ id }) => id)).toEqual(["secret-1"]);
  });

  test("CO-36 what an admin registered is never deleted, however long it was not used", async () => {
    const { db } = database;
    const { tables: t } = db;
    await db.update(t.clients).set({ disabledAt: NOW });
    await sweep(database.db, NOW + 4_000 * DAY, { mailWorks: true });
    expect(await Promise.all([t.applications, t.clients, t.clientSecrets].map(rows))).toEqual([1, 2, 1]);
  });

  test("keeps the newest refusals and the newest rejected deliveries of each endpoint, up to their bounds", async () => {
    const { db } = database;
    const { tables: t } = db;
    const refusal = {
      endpoint: "/token",
      error: "invalid_grant",
      cause: "code_expired",
      message: "",
      detail: {},
    } as const;
    const rejection = {
      endpoint: "stripe",
      environment: "production",
      source: "http",
      method: "POST",
      outcome: "rejected",
      reason: "unparsable",
      status: 400,
    } as const;
    for (let start = 0; start < 800; start += 200) {
      const instants = Array.from({ length: 200 }, (_, n) => NOW + start + n);
      await db.insert(t.refusals).values(instants.map((at) => ({ ...refusal, errorId: `e${at}`, at })));
      const body = { headers: {}, body: Buffer.from(""), ackMs: 1 };
      await db
        .insert(t.webhookDeliveries)
        .values(instants.map((at) => ({ ...rejection, ...body, id: `d${at}`, receivedAt: at })));
    }
    const elsewhere = {
      ...rejection,
      endpoint: "github",
      headers: {},
      body: Buffer.from(""),
      ackMs: 1,
      id: "d0",
      receivedAt: NOW - 1,
    };
    await db.insert(t.webhookDeliveries).values(elsewhere);
    expect(await sweep(database.db, NOW)).toMatchObject({ refusals: 0, webhook_deliveries: 0 });
    const bounds = {
      refusals: 100,
      signIns: 100,
      failureGroups: 10,
      rejectedDeliveries: 150,
      statHours: 3,
      statDays: 2,
    };
    expect(await sweep(database.db, NOW, { newest: bounds })).toMatchObject({ refusals: 700, webhook_deliveries: 650 });
    expect([await rows(t.refusals), await rows(t.webhookDeliveries)]).toEqual([100, 151]);
    expect((await db.select({ at: min(t.refusals.at) }).from(t.refusals))[0]?.at).toBe(NOW + 700);
    const oldest = db
      .select({ endpoint: t.webhookDeliveries.endpoint, at: min(t.webhookDeliveries.receivedAt) })
      .from(t.webhookDeliveries);
    expect(await oldest.groupBy(t.webhookDeliveries.endpoint).orderBy(t.webhookDeliveries.endpoint)).toEqual([
      { endpoint: "github", at: NOW - 1 },
      { endpoint: "stripe", at: NOW + 650 },
    ]);
  });

  test("OP-36 deletes until nothing is due, however much that is, and says how late it is", async () => {
    await fill(NOW, 2_600);
    const at = NOW + DAY;
    expect(await sweepLag(database.db, at)).toMatchObject({ access_tokens: DAY - 3600, rate_limits: DAY, sessions: 0 });
    const told: Record<string, number> = {};
    const onSwept = (table: string, rows: number) => {
      told[table] = (told[table] ?? 0) + rows;
    };
    expect(await sweep(database.db, at, { onSwept })).toMatchObject({ access_tokens: 2_600, spent_ids: 0 });
    expect(told).toMatchObject({ access_tokens: 2_600, device_codes: 1 });
    const lag = await sweepLag(database.db, at);
    expect(Object.values(lag).every((seconds) => seconds === 0)).toBe(true);
  });

  test("OP-36 leaves what another process works on to it, on PostgreSQL, and waits for nothing", async () => {
    const { db, url } = database;
    if (db.dialect !== "postgres") return;
    await fill(NOW, 3);
    const other = new pg.Client({ connectionString: url });
    await other.connect();
    await other.query("BEGIN");
    await other.query("SELECT 1 FROM access_tokens ORDER BY hash LIMIT 1 FOR UPDATE");
    expect(await sweep(db, NOW + DAY)).toMatchObject({ access_tokens: 2 });
    await other.query("ROLLBACK");
    await other.end();
    expect(await sweep(db, NOW + DAY)).toMatchObject({ access_tokens: 1 });
  });

  test("OP-36 a stopping process starts no other statement", async () => {
    await fill(NOW, 1201);
    const stop = new AbortController();
    const pace = createPace({ shortestMs: 0, signal: stop.signal });
    const swept = await sweep(database.db, NOW + DAY, {
      pace: {
        ...pace,
        run: (one) => pace.run(one).finally(() => stop.abort()),
        get stopped() {
          return stop.signal.aborted;
        },
      },
    });
    expect(Object.values(swept).reduce((sum, rows) => sum + rows, 0)).toBeLessThan(1201);
    expect(await rows(database.db.tables.accessTokens)).toBeGreaterThan(0);
  });

  test("several sweepers can run at once", async () => {
    await fill(NOW, 1201);
    await Promise.all([1, 2, 3].map(() => sweep(database.db, NOW + 40 * DAY)));
    expect(await rows(database.db.tables.accessTokens)).toBe(0);
  });

  test("never deletes events or accepted deliveries, however old", async () => {
    const { db } = database;
    const { tables: t } = db;
    const delivery = {
      endpoint: "stripe",
      environment: "production",
      source: "http",
      method: "POST",
      status: 200,
      headers: {},
      body: Buffer.from(""),
      ackMs: 1,
      receivedAt: 0,
    } as const;
    await db.insert(t.webhookDeliveries).values([
      { ...delivery, id: "a", outcome: "accepted", reason: "accepted" },
      { ...delivery, id: "d", outcome: "duplicate", reason: "duplicate" },
    ]);
    await db
      .insert(t.webhookEvents)
      .values({ endpoint: "stripe", key: Buffer.from("k"), deliveryId: "a", receivedAt: 0, state: "stored" });
    await sweep(database.db, NOW + 4000 * DAY);
    expect([await rows(t.webhookDeliveries), await rows(t.webhookEvents)]).toEqual([2, 1]);
  });
});
