import { describe, expect, test } from "vitest";
import { definitions, metrics } from "./catalog.ts";
import { counter, gauge, histogram } from "./metric.ts";
import { widthOf } from "./series.ts";
import { labelValues, mergeSnapshots, onSnapshot, takeSnapshot } from "./snapshot.ts";

const MAX_SERIES = 2_500;

describe("metrics", () => {
  test("OP-75: however they are counted, all label sets make at most 2,500 series for a process", () => {
    const most = [...definitions.values()].map((one) => {
      const sets = one.max + (one.labels.length > 0 ? one.maxFolded + 1 : 0);
      return sets * (one.kind === "histogram" ? widthOf(one) + 1 : 1); // a bucket each, +Inf, _sum and _count
    });
    expect(most.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(MAX_SERIES);
  });

  test("OP-75: no label can name a client, user, address, path or error", () => {
    const labels = [...definitions.values()].flatMap((one) => one.labels);
    expect(labels.filter((label) => /client|user|address|ip$|path|url|error_id|token$/.test(label))).toEqual([]);
  });

  test("OP-75: names have their unit last, and counters end in _total", () => {
    for (const { name, kind } of definitions.values()) {
      expect(name).toMatch(/^(gatehouse|http|nodejs|process)_[a-z_]+$/);
      expect(name.endsWith("_total"), name).toBe(kind === "counter");
    }
  });

  test("label sets beyond the limit are counted together", async () => {
    const few = counter("test_few_total", "", ["place", "cause"], { max: 2 });
    for (const [place, cause] of [
      ["a", "x"],
      ["b", "y"],
      ["c", "z"],
      ["d", "z"],
      ["a", "x"],
    ] as const)
      few.series(place, cause).add();
    expect((await takeSnapshot())["test_few_total"]).toEqual({ "a\0x": [2], "b\0y": [1], "other\0other": [2] });
  });

  test("the routes beyond the limit keep the status of their responses, which are bounded too", async () => {
    const routes = histogram("test_routes_seconds", "", ["route", "method", "status"], [1], {
      max: 1,
      maxFolded: 1,
      fold: ([, , status = ""]) => ["*", "_OTHER", status],
    });
    for (const status of ["200", "200", "404"]) routes.series("/a", "GET", "200").observe(Number(status === "404"));
    routes.series("/b", "GET", "200").observe(3);
    routes.series("/c", "PUT", "200").observe(3);
    routes.series("/d", "GET", "500").observe(3);
    expect((await takeSnapshot())["test_routes_seconds"]).toEqual({
      "/a\0GET\u0000200": [3, 0, 1],
      "*\0_OTHER\u0000200": [0, 2, 6],
      "other\0other\0other": [0, 1, 3],
    });
  });

  test("a histogram counts a value in the bucket whose bound it reaches", async () => {
    const sizes = histogram("test_sizes", "", [], [1, 5]);
    for (const value of [0.5, 1, 1.5, 5, 6]) sizes.series().observe(value);
    expect((await takeSnapshot())["test_sizes"]).toEqual({ "": [2, 2, 1, 14] });
  });

  test("OP-74: a series keeps counting into its array while others make the array grow", async () => {
    const growing = counter("test_growing_total", "", ["at"], { max: 100 });
    const first = growing.series("0");
    for (let at = 0; at < 50; at += 1) {
      first.add();
      growing.series(String(at)).add();
    }
    expect((await takeSnapshot())["test_growing_total"]?.["0"]).toEqual([51]);
  });

  test("collectors run before a snapshot, and one that fails stops no other", async () => {
    const level = gauge("test_level", "", []);
    const ends = [onSnapshot(() => Promise.reject(new Error("down"))), onSnapshot(() => level.series().set(7))];
    expect((await takeSnapshot())["test_level"]).toEqual({ "": [7] });
    for (const end of ends) end();
  });

  test("a gauge forgets what is gone", async () => {
    const queues = gauge("test_queues", "", ["queue"]);
    queues.series("mail").set(3);
    queues.clear();
    queues.series("notice").add(1);
    expect((await takeSnapshot())["test_queues"]).toEqual({ notice: [1] });
  });

  test("OP-73: the arrays of several processes become one: sums, or the largest", () => {
    const one = { sum: { a: [1, 2] }, most: { "": [3] } };
    const other = { sum: { a: [10, 20], b: [5] }, most: { "": [1] } };
    const merged = mergeSnapshots([one, other], (name) => (name === "most" ? "max" : "sum"));
    expect(merged).toEqual({ sum: { a: [11, 22], b: [5] }, most: { "": [3] } });
    expect(one.sum.a).toEqual([1, 2]);
  });

  test("the key of a series leads back to its label values", () => {
    expect(labelValues("a\0b", { labels: ["one", "two"] })).toEqual(["a", "b"]);
    expect(labelValues("", metrics.hashQueue)).toEqual([]);
  });
});
