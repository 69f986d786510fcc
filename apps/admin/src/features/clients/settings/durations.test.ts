import { expect, test } from "vitest";
import { spanWords } from "./durations.ts";

test.each([
  [0, "0 seconds"],
  [1, "1 second"],
  [90, "90 seconds"],
  [60, "1 minute"],
  [600, "10 minutes"],
  [3_600, "1 hour"],
  [1_209_600, "14 days"],
  [100_000, "100,000 seconds"],
])("%i seconds are %s", (seconds, words) => {
  expect(spanWords(seconds)).toBe(words);
});
