import { expect, test } from "vitest";
import { createPreciseClock } from "./clock.ts";

test("follows the wall clock with fractions, never more than a second away, also after the machine slept", () => {
  let [wall, monotonic] = [1_000_000, 0.25];
  const nowMs = createPreciseClock(
    () => wall,
    () => monotonic,
  );
  expect(nowMs()).toBe(1_000_000.25);
  [wall, monotonic] = [1_000_010, 10.5];
  expect(nowMs()).toBe(1_000_010.5);
  [wall, monotonic] = [5_000_000, 20];
  expect(nowMs()).toBe(5_000_000);
  [wall, monotonic] = [5_000_001, 21.5];
  expect(nowMs()).toBe(5_000_001.5);
});
