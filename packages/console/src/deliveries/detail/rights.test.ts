import { describe, expect, test } from "vitest";
import { addressFor, headersFor, maySeeErrors, payloadRights } from "./rights.ts";

const REVEAL = ["webhooks:read", "webhooks:reveal"];

describe("CO-02 who sees what a delivery contains", () => {
  test.each([
    ["admin", "development", REVEAL, "shown", true],
    ["admin", "production", REVEAL, "masked", true],
    ["admin", "production", ["webhooks:read"], "hidden", false],
    ["developer", "staging", REVEAL, "shown", true],
    ["developer", "production", REVEAL, "masked", false],
    ["viewer", "development", REVEAL, "hidden", false],
    ["viewer", "production", REVEAL, "hidden", false],
    ["user", "development", REVEAL, "hidden", false],
  ] as const)("%s in %s with %j: %s, reveal %j", (role, environment, scopes, view, reveal) => {
    expect(payloadRights({ role }, environment, scopes)).toEqual({ view, reveal });
  });

  test.each([
    ["admin", REVEAL, true],
    ["developer", REVEAL, true],
    ["admin", ["webhooks:read"], false],
    ["viewer", REVEAL, false],
  ] as const)("%s with %j sees errors of handlers, which can quote payloads: %j", (role, scopes, seen) => {
    expect(maySeeErrors({ role }, scopes)).toBe(seen);
  });

  test.each([
    ["admin", "203.0.113.77", "203.0.113.77"],
    ["developer", "203.0.113.77", "203.0.113.0/24"],
    ["viewer", "2001:db8:1:2:3::4", "2001:db8:1::/48"],
    ["viewer", "::ffff:203.0.113.77", "203.0.113.0/24"],
    ["viewer", "not an address", null],
    ["viewer", null, null],
  ] as const)("%s sees the address %s as %s", (role, address, shown) => {
    expect(addressFor({ role }, address)).toBe(shown);
  });

  test("only admins see the headers in which proxies pass the address on", () => {
    const headers = {
      "content-type": "application/json",
      "x-forwarded-for": "203.0.113.77",
      "cf-connecting-ip": "203.0.113.77",
      "cf-connecting-ipv6": "2001:db8::1",
      "x-azure-clientip": "203.0.113.77",
      "x-envoy-external-address": "203.0.113.77",
      forwarded: "for=x",
    };
    expect(headersFor({ role: "admin" }, headers)).toEqual(headers);
    expect(headersFor({ role: "developer" }, headers)).toEqual({ "content-type": "application/json" });
  });
});
