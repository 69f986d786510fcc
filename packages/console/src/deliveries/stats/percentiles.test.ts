import { describe, expect, test } from "vitest";
import { percentiles } from "./percentiles.ts";

describe("percentiles of response times, CO-57", () => {
  test("are the bounds of the buckets that reach them", () => {
    const buckets = [
      { upToMs: 50, count: 4 },
      { upToMs: 1, count: 60 },
      { upToMs: 5, count: 35 },
      { upToMs: 1_000, count: 1 },
    ];
    expect(percentiles(buckets)).toEqual({ p50Ms: 1, p95Ms: 5, p99Ms: 50 });
  });

  test("add up buckets of several endpoints", () => {
    expect(percentiles([...Array(3).fill({ upToMs: 1, count: 1 }), { upToMs: 10, count: 3 }])).toMatchObject({
      p50Ms: 1,
      p95Ms: 10,
    });
  });

  test("are null beyond the last bound, and without values", () => {
    expect(percentiles([{ upToMs: Number.NaN, count: 2 }])).toEqual({ p50Ms: null, p95Ms: null, p99Ms: null });
    expect(percentiles([])).toEqual({ p50Ms: null, p95Ms: null, p99Ms: null });
  });
});
