import { describe, expect, test } from "vitest";
import { ADDRESS_HEADER, callerOf, clientAddress, settleAddress, vouchForAddresses } from "./address.ts";

describe("who called, SE-02 SE-03", () => {
  const inbound = () => ({
    "x-forwarded-for": "6.6.6.6, 7.7.7.7",
    "x-forwarded-host": "evil.test",
    forwarded: "for=6.6.6.6",
    "x-middleware-subrequest": "proxy",
    [ADDRESS_HEADER]: "6.6.6.6",
    accept: "*/*",
  });

  test("what the caller says of itself is dropped", () => {
    const headers = inbound();
    settleAddress(headers, "::ffff:127.0.0.1", false);
    expect(headers).toEqual({ accept: "*/*", [ADDRESS_HEADER]: "127.0.0.1" });
  });

  test("behind a trusted proxy the hop that the proxy added counts", () => {
    const headers = inbound();
    settleAddress(headers, "10.0.0.1", true);
    expect(headers).toEqual({ accept: "*/*", [ADDRESS_HEADER]: "7.7.7.7" });
  });

  test.each([
    ["203.0.113.7:49152", "203.0.113.7"],
    ["[2001:db8::7]:49152", "2001:db8::7"],
    ["2001:db8::7", "2001:db8::7"],
    ["unknown", "10.0.0.1"],
    ["<script>", "10.0.0.1"],
  ])("SE-03 a proxy's hop %s is %s", (hop, address) => {
    const headers = { "x-forwarded-for": hop };
    settleAddress(headers, "10.0.0.1", true);
    expect(headers).toEqual({ [ADDRESS_HEADER]: address });
  });

  test("SE-07 a host that draws addresses from its own /64 counts as one caller", () => {
    expect(callerOf("2001:db8:1:1::7")).toBe(callerOf("2001:db8:1:1:ffff::1"));
    expect(callerOf("2001:db8:1:1::7")).not.toBe(callerOf("2001:db8:1:2::7"));
    expect(callerOf("203.0.113.7")).not.toBe(callerOf("203.0.113.8"));
    expect(callerOf(null)).toBeNull();
  });

  test("the header means nothing until our own server sets it", () => {
    const headers = new Headers({ [ADDRESS_HEADER]: "6.6.6.6" });
    expect(clientAddress(headers)).toBeNull();
    vouchForAddresses();
    expect(clientAddress(headers)).toBe("6.6.6.6");
  });
});
