import { expect, test } from "vitest";
import { createShareLimiter } from "./share-limiter.ts";
import { siteKey } from "./throttle-key.ts";

const from = (network: number) => siteKey({ address: `198.51.${network}.1` });

test("a sender who uses up what all share takes nothing from the others' own", () => {
  const allow = createShareLimiter({ own: 2, most: 8, shared: 5, senders: 100 });
  const tries = (network: number, times: number) =>
    Array.from({ length: times }, () => allow(from(network), 60)).filter(Boolean).length;
  expect(tries(1, 20)).toBe(7);
  expect([tries(2, 20), tries(3, 20)]).toEqual([2, 2]);
  expect(allow(from(1), 120)).toBe(true);
});

test("a sender has at most its own limit, and memory is bounded: senders beyond it use what is shared", () => {
  const allow = createShareLimiter({ own: 1, most: 3, shared: 10, senders: 2 });
  const tries = (network: number, times: number) =>
    Array.from({ length: times }, () => allow(from(network), 60)).filter(Boolean).length;
  expect([tries(1, 5), tries(2, 5)]).toEqual([3, 3]);
  expect([tries(3, 4), tries(4, 4)]).toEqual([4, 2]);
});

test.each([
  ["2001:db8:1:2::7", "2001:db8:1:ffff::1", true],
  ["2001:db8:1::1", "2001:db8:2::1", false],
  ["2001:db8::1", "2001:db8:0:9::1", true],
  ["192.0.2.1", "::ffff:192.0.2.254", true],
  ["192.0.2.1", "192.0.3.1", false],
])("SE-07: %s and %s are of one site: %s", (one, other, same) => {
  expect(siteKey({ address: one }) === siteKey({ address: other })).toBe(same);
});
