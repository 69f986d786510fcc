import { describe, expect, test } from "vitest";
import { createBoundedMap, estimateBytes } from "./bounded-map.ts";

const of = (size: number) => Array.from({ length: size }, (_, at) => `key-${at}`);

describe("a bounded map", () => {
  test("keeps everything that fits", () => {
    const map = createBoundedMap<{ key: string; used: boolean }>(1_000_000, () => 100);
    for (const key of of(1000)) map.set(key, { key, used: false });
    expect(of(1000).filter((key) => map.get(key)?.key === key)).toHaveLength(1000);
    map.clear();
    expect(map.get("key-1")).toBeUndefined();
  });

  test("stays within its bytes, however many values are set", () => {
    const map = createBoundedMap<{ key: string; used: boolean }>(1_000_000, () => 1000);
    for (const key of of(50_000)) map.set(key, { key, used: false });
    const kept = of(50_000).filter((key) => map.get(key) !== undefined);
    expect(kept.length).toBeGreaterThan(100);
    expect(kept.length).toBeLessThanOrEqual(1000);
  });

  test("keeps what is used, whatever else is set", () => {
    const map = createBoundedMap<{ key: string; used: boolean }>(1_000_000, () => 1000);
    map.set("used", { key: "used", used: false });
    for (const key of of(50_000)) {
      map.set(key, { key, used: false });
      expect(map.get("used")?.key).toBe("used");
    }
  });

  test("keeps most of what is asked for in turn, if it does not fit", () => {
    const map = createBoundedMap<{ key: string; used: boolean }>(1_000_000, () => 1000);
    let hits = 0;
    for (let round = 0; round < 20; round++) {
      for (const key of of(2000)) {
        if (map.get(key)) hits += 1;
        else map.set(key, { key, used: false });
      }
    }
    expect(hits).toBeGreaterThan(20 * 2000 * 0.25);
  });

  test("a value that would fill it is not kept, nor is one of a key counted twice", () => {
    const map = createBoundedMap<{ bytes: number; used: boolean }>(10_000, ({ bytes }) => bytes);
    map.set("huge", { bytes: 5000, used: false });
    expect(map.get("huge")).toBeUndefined();
    for (let again = 0; again < 100; again++) map.set("key", { bytes: 1000, used: false });
    map.set("other", { bytes: 1000, used: false });
    expect([map.get("key"), map.get("other")]).toEqual([expect.anything(), expect.anything()]);
  });

  test("large values count as such", () => {
    const wide = { text: "x".repeat(5000), list: ["y".repeat(3000)], bytes: Buffer.alloc(2000), nothing: null };
    expect(estimateBytes(wide)).toBeGreaterThan(10_000);
    expect(estimateBytes({ a: 1, b: null, c: "short" })).toBeLessThan(200);
  });
});
