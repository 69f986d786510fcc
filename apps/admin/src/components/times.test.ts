import { describe, expect, test } from "vitest";
import { absolute, barName, relative, zoneNameAt } from "./times.ts";

const NOW = 1_780_000_000;

describe("times, CO-83", () => {
  test.each([
    [0, "now"],
    [-4, "now"],
    [-12, "12 s ago"],
    [-59, "59 s ago"],
    [-61, "1 min ago"],
    [-7200, "2 h ago"],
    [7200, "in 2 h"],
    [90, "in 1 min"],
    [-86_399, "23 h ago"],
  ])("%d seconds away are %j", (away, text) => {
    expect(relative(NOW + away, NOW)).toBe(text);
  });

  test.each([-86_400, 86_400])("%d seconds away have no relative form", (away) => {
    expect(relative(NOW + away, NOW)).toBeUndefined();
  });

  test("are absolute in the zone that the reader chose", () => {
    expect(absolute(1_700_000_000, "utc")).toBe("14 Nov 2023, 22:13");
    expect(absolute(1_700_000_000, "utc", { seconds: true, year: false })).toBe("14 Nov, 22:13:20");
    expect(absolute(1_699_920_000, "utc")).toBe("14 Nov 2023, 00:00");
    expect(zoneNameAt(1_700_000_000, "utc")).toBe("UTC");
  });

  test("of the bars of a chart are days in UTC, since days are counted in UTC", () => {
    const midnight = 1_699_920_000;
    expect(barName(midnight, 86_400, "utc")).toBe("14 Nov");
    expect(barName(midnight, 86_400, "local")).toBe("14 Nov");
    expect(barName(midnight, 3_600, "utc")).toBe("00:00");
    expect(barName(midnight, 21_600, "utc")).toBe("14 Nov 00:00");
  });
});
