import { describe, expect, test } from "vitest";
import { createRowLimiter, networkOf } from "./flood.ts";

test.each([
  ["203.0.113.9", "203.0.113"],
  ["::ffff:203.0.113.9", "203.0.113"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
  ["2001:0DB8:0001:0002::9", "2001:db8:1:2"],
  ["2001:db8::1", "2001:db8:0:0"],
  ["::1", "0:0:0:0"],
  ["fe80::1%eth0", "fe80:0:0:0"],
  ["not an address", "unknown"],
  [null, "unknown"],
])("the network of %s is %s", (address, network) => {
  expect(networkOf(address)).toBe(network);
});

describe("the row limiter", () => {
  const key = (address: string, reason = "signature_missing") => ({ provider: "stripe", reason, address });

  test("counts per network and reason, and starts again with the minute", () => {
    const allow = createRowLimiter(2);
    expect([allow(key("192.0.2.1"), 60), allow(key("192.0.2.2"), 61), allow(key("192.0.2.3"), 119)]).toEqual([true, true, false]);
    expect([allow(key("192.0.3.1"), 119), allow(key("192.0.2.1", "signature_mismatch"), 119)]).toEqual([true, true]);
    expect(allow(key("192.0.2.1"), 120)).toBe(true);
  });

  test("keeps a bounded number of rows, from however many networks they come", () => {
    const allow = createRowLimiter(60, 1000, 4);
    expect([1, 2, 3, 4, 5].map((n) => allow(key(`10.0.${n}.1`), 0))).toEqual([true, true, true, true, false]);
    expect(allow(key("10.0.1.1"), 60)).toBe(true);
  });

  test("remembers a bounded number of networks; those it knows keep their allowance", () => {
    const allow = createRowLimiter(2, 3);
    const verdicts = [1, 2, 3, 4, 5].map((n) => allow(key(`10.0.${n}.1`), 0));
    expect(verdicts).toEqual([true, true, true, false, false]);
    expect(allow(key("10.0.1.1"), 0)).toBe(true);
  });
});
