import { describe, expect, test } from "vitest";
import { createBoundedMap, estimateBytes } from "./bounded-map.ts";

const of = (size: number) => Array.from({ length: size }, (_, at) => `key-${at}`);

describe("a bounded map", () => {
  test("keeps everything that fits", () => {
    const map = createBoundedMap<string>(1_000_000, () => 100);
    for (const key of of(1000)) map.set(key, key);
    expect(of(1000).filter((key) => map.get(key) === key)).toHaveLength(1000);
    map.clear();
    expect(map.get("key-1")).toBeUndefined();
  });

  test("stays within its bytes, however many values are set", () => {
    const map = createBoundedMap<string>(1_000_000, () => 1000);
    for (const key of of(50_000)) map.set(key, key);
    const kept = of(50_000).filter((key) => map.get(key) !== undefined);
    expect(kept.length).toBeGreaterThan(100);
    expect(kept.length).toBeLessThanOrEqual(1000);
  });

  test("keeps what is used, whatever else is set", () => {
    const map = createBoundedMap<string>(1_000_000, () => 1000);
    map.set("used", "value");
    for (const key of of(50_000)) {
      map.set(key, key);
      expect(map.get("used")).toBe("value");
    }
  });

  test("large values count as such", () => {
    const wide = { text: "x".repeat(5000), list: ["y".repeat(3000)], bytes: Buffer.alloc(2000), nothing: null };
    expect(estimateBytes(wide)).toBeGreaterThan(10_000);
    expect(estimateBytes({ a: 1, b: null, c: "short" })).toBeLessThan(200);
  });
});
