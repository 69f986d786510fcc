import { describe, expect, test } from "vitest";
import { plainAddress } from "./address.mjs";
import { callerKey, networkKey, subjectKey } from "./throttle-key.ts";

const key = (address: string | null, about?: string) => callerKey({ address }, about);

describe("keys of callers, SE-07 AB-02", () => {
  test.each([
    ["two addresses of one /64", "2001:db8:1:2::7", "2001:db8:1:2:ffff:0:0:1"],
    ["two spellings of an IPv6 address", "2001:DB8:0001:2:0:0:0:7", "2001:db8:1:2::7"],
    ["an IPv4 address and its IPv6 form", "192.0.2.7", "::ffff:192.0.2.7"],
    ["the hexadecimal IPv6 form too", "192.0.2.7", "::ffff:c000:207"],
    ["the uncompressed IPv6 form too", "192.0.2.7", "0:0:0:0:0:FFFF:192.0.2.7"],
    ["a link-local address on two interfaces", "fe80::1%eth0", "fe80::1%eth1"],
    ["no address and something that is none", null, "not an address"],
    ["no address and an empty one", null, ""],
  ])("%s share a count", (_, one, other) => {
    expect(key(one)).toBe(key(other));
  });

  test.each([
    ["two /64 networks", "2001:db8:1:2::7", "2001:db8:1:3::7"],
    ["networks that differ before a dotted tail", "1:2::5:6:7:192.0.2.7", "1:2::6:7:192.0.2.7"],
    ["two IPv4 addresses", "192.0.2.7", "192.0.2.8"],
    ["an address and none", "192.0.2.7", null],
    ["IPv4 and IPv6 loopback", "127.0.0.1", "::1"],
  ])("%s have separate counts", (_, one, other) => {
    expect(key(one)).not.toBe(key(other));
  });

  test("a caller has a separate key for each subject", () => {
    expect(key("192.0.2.7", "shop-web")).not.toBe(key("192.0.2.7", "shop-spa"));
    expect(key("192.0.2.7", "shop-web")).not.toBe(key("192.0.2.7"));
    expect(subjectKey("account", "ada")).not.toBe(subjectKey("session", "ada"));
  });
});

test("the key of a network is an IPv4 /24 or an IPv6 /64, and differs from a caller's", () => {
  const network = (address: string | null) => networkKey({ address });
  expect(network("192.0.2.7")).toBe(network("::ffff:192.0.2.8"));
  expect(network("192.0.2.7")).not.toBe(network("192.0.3.7"));
  expect(network("2001:db8:1:2::7")).toBe(network("2001:db8:1:2:ffff::8"));
  expect(network("2001:db8:1:2::7")).not.toBe(network("2001:db8:1:3::7"));
  expect(network(null)).toBe(network("not an address"));
  expect(network("2001:db8:1:2::7")).not.toBe(key("2001:db8:1:2::7"));
});

test.each([
  ["192.0.2.7", "192.0.2.7"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["::ffff:c000:207", "192.0.2.7"],
  ["2001:db8::7", "2001:db8::7"],
  ["fe80::1%eth0", "fe80::1"],
  ["localhost", undefined],
  ["", undefined],
])("SE-03 the plain form of %j is %j", (text, plain) => {
  expect(plainAddress(text)).toBe(plain);
});
