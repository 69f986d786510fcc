import { readTrustedProxies } from "@gatehouse/runtime/trusted-proxies";
import { describe, expect, test } from "vitest";
import { ADDRESS_HEADER, clientAddress, overwriteAddress, proxyRequestId, trustSocketAddress } from "./address.ts";

const PROXIES = readTrustedProxies({ GATEHOUSE_TRUST_PROXY: "1" });

describe("the caller's address, SE-02 SE-03", () => {
  const inbound = () => ({
    "x-forwarded-for": "6.6.6.6, 7.7.7.7",
    "x-forwarded-host": "evil.test",
    forwarded: "for=6.6.6.6",
    "x-middleware-subrequest": "proxy",
    "x-request-id": "0123abcd",
    [ADDRESS_HEADER]: "6.6.6.6",
    accept: "*/*",
  });

  test("headers in which a caller claims an address are dropped", () => {
    const headers = inbound();
    overwriteAddress(headers, "::ffff:127.0.0.1", undefined);
    expect(headers).toEqual({ accept: "*/*", [ADDRESS_HEADER]: "127.0.0.1" });
  });

  test("behind a trusted proxy the hop that the proxy added counts", () => {
    const headers = inbound();
    overwriteAddress(headers, "10.0.0.1", PROXIES);
    expect(headers).toEqual({ accept: "*/*", "x-request-id": "0123abcd", [ADDRESS_HEADER]: "7.7.7.7" });
  });

  test("OP-16 what a peer claims that is no trusted proxy is dropped", () => {
    const headers = inbound();
    overwriteAddress(headers, "203.0.113.7", PROXIES);
    expect(headers).toEqual({ accept: "*/*", [ADDRESS_HEADER]: "203.0.113.7" });
  });

  test.each([
    ["203.0.113.7:49152", "203.0.113.7"],
    ["[2001:db8::7]:49152", "2001:db8::7"],
    ["2001:db8::7", "2001:db8::7"],
    ["unknown", "10.0.0.1"],
    ["<script>", "10.0.0.1"],
  ])("SE-03 a proxy's hop %s is %s", (hop, address) => {
    const headers = { "x-forwarded-for": hop };
    overwriteAddress(headers, "10.0.0.1", PROXIES);
    expect(headers).toEqual({ [ADDRESS_HEADER]: address });
  });

  test.each([undefined, "", "not an address"])(
    "SE-07 a request without a peer address (%j) is reported, so that it can be dropped",
    (peer) => {
      const headers = inbound();
      expect(overwriteAddress(headers, peer, undefined)).toBe(false);
      expect(headers).toEqual({ accept: "*/*" });
      expect(overwriteAddress({ "x-forwarded-for": "203.0.113.7" }, peer, PROXIES)).toBe(false);
    },
  );

  test.each<[string | undefined, boolean, string | undefined]>([
    ["0123abcd-of-the-proxy", true, "0123abcd-of-the-proxy"],
    ["0123abcd-of-a-caller", false, undefined],
    [undefined, true, undefined],
    ["short", true, undefined],
    ["x".repeat(65), true, undefined],
    ["of-the-proxy, of-a-caller", true, undefined],
    ["<b>12345678</b>", true, undefined],
  ])("SE-03 CO-64 the request id %j, behind a trusted proxy: %s, is %j", (given, trustProxy, id) => {
    expect(
      proxyRequestId(
        new Headers(given === undefined ? {} : { "x-request-id": given }),
        trustProxy ? PROXIES : undefined,
      ),
    ).toBe(id);
  });

  test("SE-03 without our own server, only a trusted proxy can name the address", () => {
    const headers = new Headers({ [ADDRESS_HEADER]: "6.6.6.6", "x-forwarded-for": "6.6.6.6, 203.0.113.7:49152" });
    expect([clientAddress(headers, undefined), clientAddress(headers, PROXIES)]).toEqual([null, "203.0.113.7"]);
    trustSocketAddress();
    expect([clientAddress(headers, undefined), clientAddress(headers, PROXIES)]).toEqual(["6.6.6.6", "6.6.6.6"]);
  });
});
