import { describe, expect, test } from "vitest";
import { createRowLimiter } from "./row-limiter.ts";
import type { ThrottleKey } from "./throttle-key.ts";

describe("the row limiter", () => {
  const key = (sender: string, kind = "stripe signature_missing") => [kind, sender as ThrottleKey] as const;

  test("counts by sender and kind, and starts again every minute", () => {
    const allow = createRowLimiter(2);
    expect([allow(...key("192.0.2.1"), 60), allow(...key("192.0.2.1"), 61), allow(...key("192.0.2.1"), 119)]).toEqual([
      true,
      true,
      false,
    ]);
    expect([allow(...key("192.0.2.2"), 119), allow(...key("192.0.2.1", "stripe signature_mismatch"), 119)]).toEqual([
      true,
      true,
    ]);
    expect(allow(...key("192.0.2.1"), 120)).toBe(true);
  });

  test("allows a bounded number of rows of all kinds from one sender", () => {
    const allow = createRowLimiter(2, 1000, 5000, 3);
    const verdicts = ["a", "a", "b", "b", "c"].map((kind) => allow(...key("192.0.2.1", kind), 0));
    expect(verdicts).toEqual([true, true, true, false, false]);
    expect([allow(...key("192.0.2.2", "c"), 0), allow(...key("192.0.2.1", "c"), 60)]).toEqual([true, true]);
  });

  test("allows a bounded number of rows from all senders together", () => {
    const allow = createRowLimiter(60, 1000, 4);
    expect([1, 2, 3, 4, 5].map((n) => allow(...key(`10.0.${n}.1`), 0))).toEqual([true, true, true, true, false]);
    expect(allow(...key("10.0.1.1"), 60)).toBe(true);
  });

  test("counts a bounded number of senders; known ones keep their allowance", () => {
    const allow = createRowLimiter(2, 3);
    const verdicts = [1, 2, 3, 4, 5].map((n) => allow(...key(`10.0.${n}.1`), 0));
    expect(verdicts).toEqual([true, true, true, false, false]);
    expect(allow(...key("10.0.1.1"), 0)).toBe(true);
  });
});
