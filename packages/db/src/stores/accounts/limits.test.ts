import { type AccountLimits, type Attempts, createAccountLimits } from "@gatehouse/accounts";
import { sha256 } from "@gatehouse/auth";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { engines, type TestDatabase } from "../../testing/engines.ts";
import { createRateLimiter } from "../rate-limits/rate-limiter.ts";

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;
const FROM = { address: "192.0.2.1" };

describe.each(engines)("the limits of accounts, on $name", ({ open }) => {
  let database: TestDatabase;
  let limits: AccountLimits;
  beforeAll(async () => {
    database = await open();
    limits = createAccountLimits((limit) => createRateLimiter(database, limit), { mailWorks: true });
  });
  afterAll(() => database.close());

  /** How many attempts are allowed, up to 250, and how long the next one waits. */
  async function failures(next: (turn: number) => Attempts): Promise<{ allowed: number; waitSeconds: number }> {
    for (let allowed = 0; allowed < 250; allowed++) {
      const waitSeconds = await next(allowed).begin();
      if (waitSeconds > 0) return { allowed, waitSeconds };
    }
    return { allowed: 250, waitSeconds: 0 };
  }

  test.each<[string, number, number, (turn: number) => Attempts]>([
    [
      "passwords from an address, for other accounts each time",
      60,
      15 * MINUTE,
      (turn) => limits.signIn(`${turn}@a.example`, undefined, FROM),
    ],
    [
      "passwords from a /64, from other addresses each time",
      60,
      15 * MINUTE,
      (turn) => limits.signIn(`${turn}@b.example`, undefined, { address: `2001:db8::${turn + 1}` }),
    ],
    [
      "passwords for an account, from other addresses each time",
      10,
      15 * MINUTE,
      (turn) => limits.signIn("ada@example.com", undefined, { address: `198.51.100.${turn}` }),
    ],
    [
      "passwords for the account in a browser that it knows",
      10,
      15 * MINUTE,
      () => limits.signIn("ada@example.com", "known", FROM),
    ],
    ["codes for a sign-in", 5, 10 * MINUTE, () => limits.secondStep("ticket")],
    ["codes for an account, with a new sign-in each time", 10, HOUR, () => limits.secondFactor("ada")],
    [
      "mailed codes for an address in a browser",
      10,
      DAY,
      () => limits.mailedCodeInBrowser("ada@example.com", sha256("a browser")),
    ],
    ["mailed codes for an address, from everywhere", 200, DAY, () => limits.mailedCode("ada@example.com")],
  ])("AB-02 %s: %i fail, and the next one waits", async (_, allowed, windowSeconds, next) => {
    const found = await failures(next);
    expect(found.allowed).toBe(allowed);
    expect(found.waitSeconds).toBeGreaterThan(windowSeconds / 2);
    expect(found.waitSeconds).toBeLessThanOrEqual(windowSeconds);
  });

  test("AB-02 the second factor of an account fails 50 times a day, however the hours fall", async () => {
    const ofHours = createAccountLimits(
      (limit) =>
        createRateLimiter(
          database,
          limit.windowSeconds === HOUR ? { ...limit, name: `${limit.name} never`, failures: 1000 } : limit,
        ),
      { mailWorks: true },
    );
    expect(await failures(() => ofHours.secondFactor("bob"))).toMatchObject({ allowed: 50 });
  });

  test("AB-02 a success takes its own count back", async () => {
    for (let turn = 0; turn < 20; turn++) {
      const attempt = limits.signIn("cy@example.com", undefined, { address: "203.0.113.5" });
      expect(await attempt.begin()).toBe(0);
      await attempt.succeeded();
    }
  });
});
