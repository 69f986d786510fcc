import { describe, expect, test } from "vitest";
import type { KeyView } from "@/trpc/types.ts";
import { timelineOf } from "./timeline.ts";

const DAY = 86_400;
const NOW = 1_800_000_000;
const key = (kid: string, days: Record<"publishedAt" | "signsFrom" | "signsUntil" | "goneAt", number>): KeyView => {
  const at = Object.fromEntries(Object.entries(days).map(([name, day]) => [name, NOW + day * DAY])) as typeof days;
  return { kid, algorithm: "RS256", state: "current", planned: true, ...at };
};

describe("the timeline of signing keys", () => {
  test("CO-60 puts a key's notice, signing and leaving one after the other, with now between past and future", () => {
    const { now, rows } = timelineOf([key("k", { publishedAt: -10, signsFrom: -9, signsUntil: 60, goneAt: 90 })], NOW);
    expect(now).toBeCloseTo(10);
    expect(rows[0]?.spans.map(({ part, start, width }) => [part, Math.round(start), Math.round(width)])).toEqual([
      ["published", 0, 1],
      ["signs", 1, 69],
      ["retired", 70, 30],
    ]);
  });

  test("CO-60 cuts what is long past, and leaves out parts without length", () => {
    const { now, rows } = timelineOf(
      [key("k", { publishedAt: -400, signsFrom: -400, signsUntil: -399, goneAt: 35 })],
      NOW,
    );
    expect(now).toBeCloseTo(50);
    expect(rows[0]?.spans).toEqual([{ part: "retired", start: 0, width: 100 }]);
  });
});
