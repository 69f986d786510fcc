import { requestArrived } from "@gatehouse/db/cache/turn";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { FEW, HIGHEST_LEVEL, load, pruneUploads, shedReasonOf } from "./load.ts";
import { type Rank, rankOf } from "./order.ts";
import { createLevels, type Sight, watchLoad } from "./watch.ts";

const CALM: Sight = { pool: { waiting: 0, oldestMs: 0 }, loopDelayMs: 3, shed: 0 };
const MOST = 512;
const RANKS: readonly Rank[] = ["console", "pages", "registration", "introspection", "token", "webhooks", "health"];
const shedRanks = () => RANKS.filter((rank) => shedReasonOf(rank) !== undefined);

const before = { ...load };
beforeEach(pruneUploads); // of other files
afterEach(() => void Object.assign(load, before));

describe("OP-31 how much is shed", () => {
  test.each([
    ["the event loop", { ...CALM, loopDelayMs: 201 }, "event_loop"],
    ["statements that wait", { ...CALM, pool: { waiting: 201, oldestMs: 0 } }, "database_pool"],
    ["the time that they wait", { ...CALM, pool: { waiting: 1, oldestMs: 251 } }, "database_pool"],
  ] as const)("rises with %s, look by look, and ends after a second of calm", (_, sight, cause) => {
    const look = createLevels(MOST);
    const levels = (one: Sight, times: number) => Array.from({ length: times }, () => look(one).level);
    expect(levels(sight, 6)).toEqual([1, 2, 3, 4, 4, 4]);
    expect(look(sight).cause).toBe(cause);
    expect(levels(CALM, 5)).toEqual([4, 4, 4, 0, 0]);
    expect(look(sight).level).toBe(1);
  });

  test("rises twice as fast at twice the limit, and never at the limit", () => {
    const look = createLevels(MOST);
    expect([401, 401, 401].map((loopDelayMs) => look({ ...CALM, loopDelayMs }).level)).toEqual([2, 4, 4]);
    const calm = createLevels(MOST);
    expect(calm({ ...CALM, pool: { waiting: 200, oldestMs: 250 }, loopDelayMs: 200 }).level).toBe(0);
  });
});

describe("OP-92 what a slow process sheds", () => {
  const budgetsOf =
    (look: ReturnType<typeof createLevels>) =>
    (sight: Partial<Sight>, times: number): number[] =>
      Array.from({ length: times }, () => look({ ...CALM, ...sight }).budgetMs);

  test("there is a budget for each turn once too many were in flight, until a second without anything that was shed", () => {
    const budgets = budgetsOf(createLevels(MOST));
    expect(budgets({ loopDelayMs: 200 }, 2)).toEqual([Infinity, Infinity]);
    expect(budgets({ shed: 1 }, 2)).toEqual([8, 8]);
    expect(budgets({}, 3)).toEqual([8, 8, 8]);
    expect(budgets({ shed: 1 }, 1)).toEqual([8]);
    expect(budgets({}, 5)).toEqual([8, 8, 8, Infinity, Infinity]);
  });

  test("slowness makes one when everything but tokens is shed", () => {
    const budgets = budgetsOf(createLevels(MOST));
    expect(budgets({ loopDelayMs: 201, shed: 1 }, 5)).toEqual([Infinity, Infinity, Infinity, 8, 8]);
    expect(budgets({}, 8).at(-1)).toBe(Infinity);
  });

  test("the cap follows the database, and comes back when it answers", () => {
    const look = createLevels(MOST);
    const caps = (waiting: number, times: number) =>
      Array.from({ length: times }, () => look({ ...CALM, pool: { waiting, oldestMs: 0 } }).cap);
    expect(caps(400, 2)).toEqual([256, 128]);
    expect(caps(200, 2)).toEqual([128, 128]);
    expect(caps(160, 1)).toEqual([160]);
    expect(caps(4_000, 10).at(-1)).toBe(2 * FEW);
    expect(caps(0, 6)).toEqual([32, 64, 128, 256, MOST, MOST]);
    expect(createLevels(10)({ ...CALM, pool: { waiting: 400, oldestMs: 0 } }).cap).toBe(10);
  });

  describe("in a turn of the event loop", () => {
    /** The ranks that are shed so long after a turn began. */
    const shedAfter = (ms: number) =>
      RANKS.filter((rank) => shedReasonOf(rank, load.turnBeganMs + ms) === "event_loop").length;
    const beginTurn = (ms: number) => Object.assign(load, { turnBeganMs: ms });
    const arrive = (requests: number) => Array.from({ length: requests }, () => requestArrived());
    beforeEach(async () => {
      Object.assign(load, { inFlight: 1, most: 512, cap: 512, budgetMs: 100, level: 0 });
      await new Promise((ended) => setImmediate(ended)); // the turn of the test before
    });

    test("nobody is shed while few requests have arrived in it, however long it takes", () => {
      beginTurn(500);
      arrive(FEW);
      expect(shedAfter(101)).toBe(0);
      arrive(1);
      expect(shedAfter(101)).toBe(5);
    });

    test("a request is shed that has waited for the budget of its rank; webhooks and health never", () => {
      arrive(FEW + 1);
      beginTurn(1_000);
      expect([10, 11, 26, 41, 71, 100].map(shedAfter)).toEqual([0, 1, 2, 3, 4, 4]);
      beginTurn(2_000);
      expect([101, 10_000].map(shedAfter)).toEqual([5, 5]);
    });

    test("two thirds of a long turn are served all the same", () => {
      arrive(FEW + 1);
      beginTurn(10_000);
      shedAfter(100);
      shedAfter(600);
      beginTurn(10_600);
      expect([40, 41, 400, 401].map(shedAfter)).toEqual([0, 1, 4, 5]);
      beginTurn(11_010);
      expect([267, 268].map(shedAfter)).toEqual([4, 5]);
    });
  });
});

describe("OP-31 the order of shedding", () => {
  test("the console goes first, then pages, registration and introspection; tokens, webhooks and health never", () => {
    load.inFlight = FEW + 1;
    const byLevel = Array.from({ length: HIGHEST_LEVEL + 1 }, (_, level) => {
      load.level = level;
      return shedRanks();
    });
    expect(byLevel).toEqual([0, 1, 2, 3, 4].map((level) => RANKS.slice(0, level)));
  });

  test("nothing is shed for slowness while only a few requests are in flight", () => {
    Object.assign(load, { inFlight: FEW, level: HIGHEST_LEVEL });
    expect(shedRanks()).toEqual([]);
  });

  test("OP-92 webhooks are shed when as many are in flight as configured, and not at the lower cap of now", () => {
    Object.assign(load, { most: 512, cap: 100, inFlight: 512 });
    expect(shedReasonOf("token")).toBe("in_flight");
    expect(shedReasonOf("webhooks")).toBeUndefined();
    load.inFlight = 513;
    expect(shedReasonOf("webhooks")).toBe("in_flight");
  });

  test("at the cap everything but health is shed, and before it in the same order", () => {
    Object.assign(load, { most: 100, cap: 100 });
    const shedAt = [50, 51, 61, 71, 81, 100, 101].map((inFlight) => {
      load.inFlight = inFlight;
      return shedRanks().length;
    });
    expect(shedAt).toEqual([0, 1, 2, 3, 4, 4, 6]);
    expect(shedReasonOf("token")).toBe("in_flight");
  });

  test.each([
    ["/trpc/clients.list", "console"],
    ["/api/deliveries/stream", "console"],
    ["/sign-in", "pages"],
    ["/sign-in/with/github/callback", "pages"],
    ["/authorize", "pages"],
    ["/register", "registration"],
    ["/register/abc", "registration"],
    ["/introspect", "introspection"],
    ["/token", "token"],
    ["/.well-known/jwks.json", "token"],
    ["/api/resource", "token"],
    ["/api/webhooks/stripe", "webhooks"],
    ["/healthz", "health"],
    ["/readyz", "health"],
  ] as const)("%s ranks with %s", (path, rank) => expect(rankOf(path)).toBe(rank));
});

test("OP-31 a loop that was blocked sheds within a second, and not two seconds later", async () => {
  load.inFlight = FEW + 1;
  const changes: number[] = [];
  const watch = watchLoad({
    maxInFlight: 512,
    poolWaits: () => CALM.pool,
    onChange: ({ sheds, level }) => void changes.push(sheds ? Math.max(1, level) : 0),
  });
  try {
    await expect.poll(() => load.free).toBe(256);
    await new Promise((resolve) => setTimeout(resolve, 60)); // the monitor has ticked
    const until = performance.now() + 300;
    while (performance.now() < until);
    await expect.poll(() => changes, { timeout: 10_000 }).toEqual([expect.any(Number), 0]);
    expect(changes[0]).toBeGreaterThan(0);
  } finally {
    watch.stop();
  }
});
