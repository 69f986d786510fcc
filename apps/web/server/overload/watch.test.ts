import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { FEW, HIGHEST_LEVEL, load, pruneUploads, shedReasonOf } from "./load.ts";
import { type Rank, rankOf } from "./order.ts";
import { createLevels, type Sight, watchLoad } from "./watch.ts";

const CALM: Sight = { pool: { waiting: 0, oldestMs: 0 }, loopDelayMs: 3 };
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
    const look = createLevels();
    const levels = (one: Sight, times: number) => Array.from({ length: times }, () => look(one).level);
    expect(levels(sight, 7)).toEqual([1, 2, 3, 4, 5, 5, 5]);
    expect(look(sight).cause).toBe(cause);
    expect(levels(CALM, 5)).toEqual([5, 5, 5, 0, 0]);
    expect(look(sight).level).toBe(1);
  });

  test("rises twice as fast at twice the limit, and never at the limit", () => {
    const look = createLevels();
    expect([401, 401, 401].map((loopDelayMs) => look({ ...CALM, loopDelayMs }).level)).toEqual([2, 4, 5]);
    const calm = createLevels();
    expect(calm({ pool: { waiting: 200, oldestMs: 250 }, loopDelayMs: 200 }).level).toBe(0);
  });
});

test("OP-92 the share of tokens falls while a limit is exceeded, as far as it is, and comes back when it is not", () => {
  const look = createLevels();
  const shares = (loopDelayMs: number, times: number) =>
    Array.from({ length: times }, () => look({ ...CALM, loopDelayMs }).tokenShare);
  expect(shares(400, 3)).toEqual([0.5, 0.25, 0.125]);
  expect(shares(250, 1)[0]).toBeCloseTo(0.1);
  expect(shares(200, 2)).toEqual([expect.closeTo(0.1), expect.closeTo(0.1)]);
  expect(shares(4_000, 10).at(-1)).toBeCloseTo(1 / 64);
  expect(shares(0, 6).at(-1)).toBe(1);
});

describe("OP-31 the order of shedding", () => {
  test("the console goes first, then pages, registration, introspection and tokens; webhooks and health never", () => {
    load.inFlight = FEW + 1;
    const byLevel = Array.from({ length: HIGHEST_LEVEL + 1 }, (_, level) => {
      load.level = level;
      return shedRanks();
    });
    expect(byLevel).toEqual([0, 1, 2, 3, 4, 5].map((level) => RANKS.slice(0, level)));
  });

  test("nothing is shed for slowness while only a few requests are in flight", () => {
    Object.assign(load, { inFlight: FEW, level: HIGHEST_LEVEL });
    expect(shedRanks()).toEqual([]);
  });

  test("OP-92 at the highest level tokens are shed beyond their share, and everything else at once", () => {
    Object.assign(load, { level: HIGHEST_LEVEL, tokensAtOnce: 100 });
    load.inFlight = 100;
    expect(shedReasonOf("token")).toBeUndefined();
    expect(shedReasonOf("introspection")).toBe("event_loop");
    load.inFlight = 101;
    expect(shedReasonOf("token")).toBe("event_loop");
  });

  test("at the cap everything but health is shed, and before it in the same order", () => {
    load.cap = 100;
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
    onChange: ({ level }) => void changes.push(level),
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
