import { randomBytes } from "node:crypto";
import type { Refusal } from "@gatehouse/auth";
import { ROWS_OF_GROUP } from "@gatehouse/db/stores/failures/failure-groups";
import { createFailureLedger } from "@gatehouse/db/stores/failures/ledger";
import { sweep } from "@gatehouse/db/sweep/sweep";
import { engines, type TestDatabase } from "@gatehouse/db/testing/engines";
import { NOW, seed } from "@gatehouse/db/testing/people";
import { count } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { RefusalFilter } from "../lists/lists.ts";
import { failureHours, groupStateUpdate, listFailureGroups, listRegressedGroups } from "./group-queries.ts";
import { findRefusal, listRefusalRows } from "./queries.ts";

const HOUR = 3_600;
const DAY = 86_400;
/** More than the ledger has counters for. */
const FLOOD = process.env["GATEHOUSE_TEST_FULL"] === "1" ? 100_000 : 20_000;

describe.each(engines)("the failure ledger on $name", ({ open }) => {
  let database: TestDatabase;
  let record: ReturnType<typeof createFailureLedger>;
  beforeEach(async () => {
    database = await open();
    await seed(database.db);
    record = createFailureLedger(database.db);
  });
  afterEach(() => database.close());

  const refusal = (change: Partial<Refusal> = {}): Refusal => ({
    errorId: randomBytes(8).toString("hex"),
    at: NOW,
    endpoint: "/token",
    error: "invalid_grant",
    cause: "code_expired",
    message: "code expired",
    detail: { expiredBySeconds: 3 },
    clientId: "shop-dev",
    address: "203.0.113.7",
    ...change,
  });
  const groups = async (filter: Parameters<typeof listFailureGroups>[1] | object = {}) =>
    (await listFailureGroups(database.db, { now: NOW, ...filter }, undefined, 100)).rows;
  const rowsOf = async (group: string) =>
    (await listRefusalRows(database.db, { group, now: NOW }, undefined, 200)).rows;

  test("CO-52 a refusal is found by its id as soon as it is recorded, with its group and its client", async () => {
    const one = refusal();
    await record(one);
    const [group] = await groups();
    expect(await findRefusal(database.db, one.errorId)).toMatchObject({
      ...one,
      groupKey: group?.key,
      environment: "development",
    });
    expect(group).toMatchObject({
      cause: "code_expired",
      clientId: "shop-dev",
      count: 1,
      firstAt: NOW,
      lastAt: NOW,
      applicationName: "Demo shop",
    });
  });

  test("CO-62 a refusal of a user's credential is found by the user", async () => {
    const [ada, other] = [refusal({ detail: { userId: "ada" } }), refusal({ detail: { userId: "bob" } })];
    await Promise.all([record(ada), record(other), record(refusal())]);
    const of = (filter: Partial<RefusalFilter>) =>
      listRefusalRows(database.db, { ...filter, now: NOW }, undefined, 10).then(({ rows }) => rows);
    expect((await of({ userId: "ada" })).map(({ errorId }) => errorId)).toEqual([ada.errorId]);
    const [group] = await groups();
    expect((await of({ userId: "bob", group: group?.key })).map(({ errorId }) => errorId)).toEqual([other.errorId]);
  });

  test("CO-46 refusals with the same cause, client, endpoint and difference are one group", async () => {
    const uri = (sent: string) =>
      refusal({
        cause: "redirect_uri_unregistered",
        endpoint: "/authorize",
        detail: { sent, nearest: "https://shop.example/cb", differsAt: 3 },
      });
    await Promise.all([
      record(uri("https://shop.example/cb/")),
      record(uri("http://shop.example/cb")),
      record({ ...uri("http://shop.example/cb"), at: NOW + HOUR }),
      record(refusal({ endpoint: "/api/notes/1", cause: "token_expired" })),
      record(refusal({ endpoint: "/api/notes/2", cause: "token_expired" })),
    ]);
    const listed = (await groups()).map(
      ({ cause, endpoint, difference, count }) => `${cause} ${endpoint} ${difference} ${count}`,
    );
    expect(listed.toSorted()).toEqual([
      "redirect_uri_unregistered /authorize scheme 2",
      "redirect_uri_unregistered /authorize slash 1",
      "token_expired /api  2",
    ]);
    const scheme = (await groups()).find(({ difference }) => difference === "scheme");
    const hour = NOW - (NOW % HOUR);
    expect(
      (await failureHours(database.db, [scheme?.key ?? ""], hour)).map(({ at, count }) => [at - hour, count]),
    ).toEqual([
      [0, 1],
      [HOUR, 1],
    ]);
    expect(await rowsOf(scheme?.key ?? "")).toHaveLength(2);
    for (const filter of [
      { clientId: "shop-dev" },
      { environment: "development" as const },
      { endpoint: "/authorize" },
      { from: NOW + 1 },
    ])
      expect((await groups(filter)).some(({ key }) => key === scheme?.key)).toBe(true);
    expect(await groups({ environment: "production" })).toEqual([]);
  });

  test("CO-51 flood-does-not-flush: a flood of junk requests leaves another failure findable, and few rows", async () => {
    const early = refusal({ at: NOW - HOUR, cause: "verifier_wrong" });
    await record(early);
    const junk = Array.from({ length: FLOOD }, (_, n) =>
      record(
        refusal({
          at: NOW + Math.floor(n / 1000),
          clientId: `junk-${n}`,
          endpoint: `/api/${n}`,
          cause: "parameter_malformed",
        }),
      ),
    );
    const during = refusal({ at: NOW + 50, cause: "secret_wrong" });
    await Promise.all([...junk, record(during)]);

    expect(await findRefusal(database.db, early.errorId)).toMatchObject({ errorId: early.errorId });
    expect(await findRefusal(database.db, during.errorId)).toMatchObject({ errorId: during.errorId });
    const listed = (await groups()).map(({ cause, clientId, count }) => [cause, clientId, count]);
    expect(listed).toHaveLength(3);
    expect(listed).toContainEqual(["parameter_malformed", null, FLOOD]);
    const [rows] = await database.db.select({ n: count() }).from(database.db.tables.refusals);
    expect(rows?.n).toBeLessThan(3 * ROWS_OF_GROUP);
  });

  test("CO-51 a group keeps its newest rows and counts the others", async () => {
    for (let n = 0; n < 2 * ROWS_OF_GROUP; n++) await record(refusal({ at: NOW + n }));
    const [group] = await groups();
    const rows = await rowsOf(group?.key ?? "");
    expect(group?.count).toBe(2 * ROWS_OF_GROUP);
    expect([rows.length, rows[0]?.at]).toEqual([ROWS_OF_GROUP, NOW + 2 * ROWS_OF_GROUP - 1]);
  });

  test("D13 CO-52 a write that fails is told to every caller whose refusal it had, and the next refusals are stored", async () => {
    const { db } = database;
    const full = new Error("the disk is full");
    let isFull = true;
    const transaction: typeof db.transaction = (writes) => (isFull ? Promise.reject(full) : db.transaction(writes));
    const failing = createFailureLedger({ ...db, transaction });
    const [one, other] = [refusal(), refusal({ cause: "verifier_wrong" })];
    const outcomes = await Promise.allSettled([
      failing(one),
      failing(other),
      failing(refusal({ cause: "secret_wrong", uncounted: true })),
    ]);
    expect(outcomes).toEqual(Array.from({ length: 3 }, () => ({ status: "rejected", reason: full })));
    isFull = false;
    await failing(other);
    expect(await findRefusal(db, other.errorId)).toMatchObject({ errorId: other.errorId });
    expect(await findRefusal(db, one.errorId)).toBeUndefined();
  });

  test("CO-46 a resolved group that returns has regressed; a muted one is quiet until its time", async () => {
    await record(refusal());
    const [group] = await groups();
    const key = group?.key ?? "";
    const set = (state: { mutedUntil: number | null; resolvedAt: number | null }) =>
      database.db.transaction([groupStateUpdate(database.db, key, state)]);
    await set({ mutedUntil: NOW + DAY, resolvedAt: null });
    expect([await groups({ state: "open" }), await groups({ state: "muted" })]).toMatchObject([[], [{ key }]]);
    expect(await groups({ state: "open", now: NOW + DAY })).toMatchObject([{ key }]);
    expect(await groups({ state: "regressed" })).toEqual([]);

    await set({ mutedUntil: null, resolvedAt: NOW });
    expect([await groups({ state: "open" }), await groups({ state: "resolved" })]).toMatchObject([[], [{ key }]]);
    await record(refusal({ at: NOW + 5 }));
    expect(await groups()).toEqual([]);
    const regressed = await listRegressedGroups(database.db, { now: NOW });
    expect(regressed).toMatchObject([{ key, regressedAt: NOW + 5, resolvedAt: null, count: 2 }]);
  });

  test("CO-46 single refusals are filtered by the state of their group; those of test runs have none", async () => {
    const causes = ["code_expired", "verifier_wrong", "secret_wrong", "code_replayed"] as const;
    for (const [second, cause] of causes.entries()) await record(refusal({ cause, at: NOW + second }));
    await record(refusal({ cause: "scope_not_allowed", uncounted: true }));
    const keys = new Map((await groups()).map(({ cause, key }) => [cause, key]));
    const set = (cause: (typeof causes)[number], state: { mutedUntil: number | null; resolvedAt: number | null }) =>
      database.db.transaction([groupStateUpdate(database.db, keys.get(cause) ?? "", state)]);
    await set("verifier_wrong", { mutedUntil: NOW + DAY, resolvedAt: null });
    await set("secret_wrong", { mutedUntil: null, resolvedAt: NOW });
    await set("code_replayed", { mutedUntil: null, resolvedAt: NOW });
    await record(refusal({ cause: "code_replayed", at: NOW + 60 }));

    const found = async (filter: RefusalFilter, now = NOW + 100) =>
      (await listRefusalRows(database.reads, { ...filter, now }, undefined, 50)).rows.map(({ cause }) => cause);
    expect(await found({})).toHaveLength(6);
    expect(await found({ state: "open" })).toEqual(["code_replayed", "code_replayed", "code_expired"]);
    expect(await found({ state: "regressed" })).toEqual(["code_replayed", "code_replayed"]);
    expect(await found({ state: "muted" })).toEqual(["verifier_wrong"]);
    expect(await found({ state: "muted" }, NOW + DAY)).toEqual([]);
    expect(await found({ state: "resolved" })).toEqual(["secret_wrong"]);
    expect(await found({ state: "open", cause: "code_expired", environment: "development" })).toEqual(["code_expired"]);
  });

  test("CO-51 beyond the most groups, those of unknown clients go first and then the oldest; rows go with their group, and after ninety days", async () => {
    await record(refusal({ at: NOW }));
    await record(refusal({ at: NOW + 1, cause: "verifier_wrong" }));
    await record(refusal({ at: NOW + 2, clientId: "nobody" }));
    const bounds = { refusals: 0, signIns: 0, rejectedDeliveries: 0, statHours: 0, statDays: 0 };
    await sweep(database.db, NOW, { newest: { ...bounds, failureGroups: 1 } });
    expect((await groups()).map(({ cause, clientId }) => [cause, clientId])).toEqual([["verifier_wrong", "shop-dev"]]);
    const left = () => database.db.select().from(database.db.tables.refusals);
    expect(await left()).toHaveLength(1);
    await sweep(database.db, NOW + 91 * DAY);
    expect([await groups(), await left()]).toEqual([[], []]);
  });
});
