import { type Client, sha256 } from "@gatehouse/auth";
import { createStats, type Stats } from "@gatehouse/db/stores/stats/store";
import { sweepUsage } from "@gatehouse/db/stores/stats/usage-writes";
import { engines, type TestDatabase } from "@gatehouse/db/testing/engines";
import { NOW, seed } from "@gatehouse/db/testing/people";
import { count } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { clientTotals, clientUse, lastTokens, readTotals, scopeUse, secretUse, uriUse } from "./usage-queries.ts";

const HOUR = 3_600;
const DAY = 86_400;
const REFRESH = "refresh_token";
const URI = "https://shop.example/callback";

describe.each(engines)("what clients did, on $name, CO-11 CO-12", ({ open }) => {
  let database: TestDatabase;
  let stats: Stats;
  let now: number;
  const start = () => createStats(database.db, { now: () => now, onError: () => {} });
  beforeEach(async () => {
    database = await open();
    await seed(database.db);
    now = NOW - (NOW % DAY);
    stats = start();
  });
  afterEach(() => database.close());

  /** The recorder reads no more of a client than these. */
  const client = { clientId: "shop-dev", environment: "development" } as Client;

  test("tokens, sign-ins and secrets are counted by day, together with other processes, and by hour for the charts", async () => {
    const today = now;
    const other = start();
    for (const { usage } of [stats, stats, other]) usage.tokenIssued(client, REFRESH, "openid api:read");
    stats.usage.signedIn(client, URI);
    stats.usage.signedIn(client, null);
    other.usage.secretUsed("secret-1");
    now += HOUR;
    stats.usage.tokenIssued(client, REFRESH, "api:read");
    stats.usage.secretUsed("secret-1");
    await Promise.all([stats.flush(), other.flush()]);

    const { db } = database;
    const metrics = [
      { clientId: "shop-dev", day: today, metric: "sign_in", count: 2 },
      { clientId: "shop-dev", day: today, metric: "token.refresh_token", count: 4 },
    ];
    expect(await clientUse(db, "shop-dev", today)).toEqual(metrics);
    expect(await clientTotals(db, ["shop-dev", "gone"], today)).toEqual(
      expect.arrayContaining(metrics.map(({ day: _, ...metric }) => metric)),
    );
    expect(await secretUse(db, ["secret-1"], today)).toEqual([{ secretId: "secret-1", day: today, uses: 2 }]);
    expect(await uriUse(db, { clientId: "shop-dev", uriHashes: [sha256(URI)] }, today)).toEqual([
      { clientId: "shop-dev", uriHash: sha256(URI), day: today, uses: 1 },
    ]);
    expect(
      (await scopeUse(db, { clientId: "shop-dev", scopes: ["openid", "api:read", "other"] }, today)).map(
        ({ scope, uses }) => [scope, uses],
      ),
    ).toEqual([
      ["api:read", 4],
      ["openid", 3],
    ]);
    expect(await lastTokens(db, ["shop-dev"])).toEqual([{ clientId: "shop-dev", lastTokenAt: now }]);
    expect(await clientUse(db, "shop-dev", today + DAY)).toEqual([]);
    const hours = await db.select().from(db.tables.statHour);
    const token = { environment: "development", metric: "token", key: REFRESH };
    expect(hours).toHaveLength(2);
    expect(hours).toEqual(
      expect.arrayContaining([
        { ...token, at: today, count: 3 },
        { ...token, at: now, count: 1 },
      ]),
    );
  });

  test("the last token never goes back", async () => {
    stats.usage.tokenIssued(client, REFRESH, "");
    await stats.flush();
    now -= HOUR;
    const late = start();
    late.usage.tokenIssued(client, REFRESH, "");
    await late.flush();
    expect(await lastTokens(database.db, ["shop-dev"])).toMatchObject([{ lastTokenAt: now + HOUR }]);
  });

  test("a refusal counts for the client that exists, in its environment; an invented client id adds no row", async () => {
    const { usage } = stats;
    usage.refused("code_expired", "shop-dev");
    usage.refused("redirect_uri_unregistered", "shop-dev");
    usage.refused("code_expired", "invented");
    usage.refused("client_unknown", "shop-dev");
    usage.refused("body_late", null);
    usage.signInEnded("password", "wrong_password", "shop-dev");
    usage.signInEnded("passkey", null, null);
    for (let n = 0; n < 5_000; n++) usage.refused("parameter_malformed", `junk-${n}`);
    await stats.flush();
    const { db } = database;
    const { tables } = db;
    expect(await db.select().from(tables.clientDay)).toMatchObject([
      { clientId: "shop-dev", metric: "refusal", count: 2 },
    ]);
    const rows = (await db.select().from(tables.statDay)).map(
      ({ environment, metric, key, count }) => `${environment} ${metric} ${key} ${count}`,
    );
    expect(rows.toSorted()).toEqual([
      " refusal body_late 1",
      " refusal client_unknown 1",
      " refusal code_expired 1",
      " refusal parameter_malformed 5000",
      " sign_in succeeded/passkey 1",
      "development refusal code_expired 1",
      "development refusal redirect_uri_unregistered 1",
      "development sign_in failed/password/wrong_password 1",
    ]);
  });

  test("a flush that fails loses nothing", async () => {
    let broken = true;
    const failing = {
      ...database.db,
      transaction: (...args: Parameters<typeof database.db.transaction>) =>
        broken ? Promise.reject(new Error("disk full")) : database.db.transaction(...args),
    };
    stats = createStats(failing, { now: () => now, onError: () => {} });
    stats.usage.tokenIssued(client, REFRESH, "");
    stats.usage.refused("code_expired", "shop-dev");
    await expect(stats.flush()).rejects.toThrow("disk full");
    stats.usage.tokenIssued(client, REFRESH, "");
    broken = false;
    await stats.stop();
    const metrics = (await clientUse(database.db, "shop-dev", 0)).map(({ metric, count }) => [metric, count]);
    expect(metrics).toEqual([
      ["refusal", 1],
      ["token.refresh_token", 2],
    ]);
  });

  test("rows by day are kept for 90 and 40 days, and the last use as long as its client", async () => {
    const { db } = database;
    const { tables: t } = db;
    const days = Array.from({ length: 100 }, (_, ago) => now - ago * DAY);
    for (const clientId of ["shop-dev", "b", "c"]) {
      await db.insert(t.clientDay).values(days.map((day) => ({ clientId, day, metric: "sign_in", count: 1 })));
      await db.insert(t.uriDay).values(days.map((day) => ({ clientId, uriHash: "hash", day, uses: 1 })));
      await db.insert(t.scopeDay).values(days.map((day) => ({ clientId, scope: "openid", day, uses: 1 })));
      await db.insert(t.secretDay).values(days.map((day) => ({ secretId: clientId, day, uses: 1 })));
      await db.insert(t.clientUse).values({ clientId, lastTokenAt: now });
    }
    await sweepUsage(db, now);
    const rows = await Promise.all(
      [t.clientDay, t.uriDay, t.scopeDay, t.secretDay].map((table) => db.select({ n: count() }).from(table)),
    );
    expect(rows.map(([row]) => row?.n)).toEqual([3 * 91, 3 * 41, 3 * 41, 3 * 41]);
    expect(await db.select().from(t.clientUse)).toEqual([{ clientId: "shop-dev", lastTokenAt: now }]);
  });

  test("CO-13 totals follow every insert and delete, cascades included, in the transaction of the change", async () => {
    const { db } = database;
    const { tables: t } = db;
    const counted = async () => {
      const [users, applications, clients] = await Promise.all(
        [t.users, t.applications, t.clients].map((table) => db.select({ n: count() }).from(table)),
      );
      return { users: users?.[0]?.n, applications: applications?.[0]?.n, clients: clients?.[0]?.n };
    };
    const before = await readTotals(db);
    expect(before).toEqual(await counted());
    expect(before.clients).toBeGreaterThan(0);

    const people = Array.from({ length: 30 }, (_, n) => ({
      id: `u${n}`,
      email: `u${n}@example.com`,
      name: "U",
      createdAt: NOW,
    }));
    const account = { role: "user", registeredBy: "self", passwordHash: "$" } as const;
    await db.insert(t.users).values(people.map((one) => ({ ...one, ...account })));
    await db
      .insert(t.users)
      .values({ id: "u0", email: "u0@example.com", name: "U", createdAt: NOW, ...account })
      .onConflictDoNothing();
    const failing = [
      db.insert(t.applications).values({ id: "new", name: "New", createdAt: NOW }),
      db.insert(t.applications).values({ id: "new", name: "Again", createdAt: NOW }),
    ];
    await expect(db.transaction(failing)).rejects.toThrow();
    expect(await readTotals(db)).toEqual({ ...before, users: before.users + 30 });
    await db.delete(t.users);
    await db.delete(t.applications);
    expect(await readTotals(db)).toEqual({ users: 0, applications: 0, clients: 0 });
    expect(await counted()).toEqual({ users: 0, applications: 0, clients: 0 });
  });
});
