import { readTrustedProxies } from "@gatehouse/runtime/trusted-proxies";
import { describe, expect, test } from "vitest";
import {
  ADDRESS_HEADER,
  clientAddress,
  overwriteClaims,
  REQUEST_ID_HEADER,
  requestIdOf,
  traceIdOf,
  trustSocketAddress,
} from "./address.ts";

const PROXIES = readTrustedProxies({ GATEHOUSE_TRUST_PROXY: "1" });
/** An id that this server made. OP-77 */
const MINTED = expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const TRACEPARENT = `00-${TRACE}-00f067aa0ba902b7-01`;

describe("the caller's address, SE-02 SE-03", () => {
  const inbound = () => ({
    "x-forwarded-for": "6.6.6.6, 7.7.7.7",
    "x-forwarded-host": "evil.test",
    forwarded: "for=6.6.6.6",
    "x-middleware-subrequest": "proxy",
    "x-request-id": "0123abcd",
    traceparent: TRACEPARENT,
    tracestate: "vendor=1",
    [ADDRESS_HEADER]: "6.6.6.6",
    accept: "*/*",
  });

  test("headers in which a caller claims an address are dropped", () => {
    const headers = inbound();
    overwriteClaims(headers, "::ffff:127.0.0.1", undefined);
    expect(headers).toEqual({ accept: "*/*", [ADDRESS_HEADER]: "127.0.0.1", [REQUEST_ID_HEADER]: MINTED });
  });

  test("behind a trusted proxy the hop that the proxy added counts", () => {
    const headers = inbound();
    overwriteClaims(headers, "10.0.0.1", PROXIES);
    expect(headers).toEqual({
      accept: "*/*",
      [ADDRESS_HEADER]: "7.7.7.7",
      [REQUEST_ID_HEADER]: "0123abcd",
      traceparent: TRACEPARENT,
      tracestate: "vendor=1",
    });
  });

  test("OP-16 what a peer claims that is no trusted proxy is dropped", () => {
    const headers = inbound();
    overwriteClaims(headers, "203.0.113.7", PROXIES);
    expect(headers).toEqual({ accept: "*/*", [ADDRESS_HEADER]: "203.0.113.7", [REQUEST_ID_HEADER]: MINTED });
  });

  test.each([
    ["203.0.113.7:49152", "203.0.113.7"],
    ["[2001:db8::7]:49152", "2001:db8::7"],
    ["2001:db8::7", "2001:db8::7"],
    ["unknown", "10.0.0.1"],
    ["<script>", "10.0.0.1"],
  ])("SE-03 a proxy's hop %s is %s", (hop, address) => {
    const headers = { "x-forwarded-for": hop };
    overwriteClaims(headers, "10.0.0.1", PROXIES);
    expect(headers).toEqual({ [ADDRESS_HEADER]: address, [REQUEST_ID_HEADER]: MINTED });
  });

  test.each([undefined, "", "not an address"])(
    "SE-07 a request without a peer address (%j) is reported, so that it can be dropped",
    (peer) => {
      const headers = inbound();
      expect(overwriteClaims(headers, peer, undefined)).toBe(false);
      expect(headers).toEqual({ accept: "*/*", "x-request-id": "0123abcd" });
      expect(overwriteClaims({ "x-forwarded-for": "203.0.113.7" }, peer, PROXIES)).toBe(false);
    },
  );

  test.each<[string | undefined, boolean]>([
    ["0123abcd-of-a-caller", false],
    [undefined, true],
    ["short", true],
    ["x".repeat(65), true],
    ["of-the-proxy, of-a-caller", true],
    ["<b>12345678</b>", true],
  ])("SE-03 CO-64 OP-77 the request id %j, behind a trusted proxy: %s, is replaced", (given, isProxied) => {
    const sent = given === undefined ? {} : { "x-request-id": given };
    const headers: Record<string, string> = { ...sent };
    overwriteClaims(headers, isProxied ? "10.0.0.1" : "203.0.113.7", PROXIES);
    expect(headers[REQUEST_ID_HEADER]).toEqual(MINTED);
    expect(requestIdOf(new Headers(sent), isProxied ? PROXIES : undefined)).toEqual(MINTED);
  });

  test("SE-03 CO-64 OP-77 a trusted proxy names the request and its trace", () => {
    const sent = new Headers({ "x-request-id": "0123abcd-of-the-proxy", traceparent: TRACEPARENT });
    expect(requestIdOf(sent, PROXIES)).toBe("0123abcd-of-the-proxy");
    expect(traceIdOf(sent, PROXIES)).toBe(TRACE);
    expect(traceIdOf(sent, undefined)).toBeUndefined();
  });

  test.each(["", "00-xyz", `00-${"0".repeat(32)}-00f067aa0ba902b7-01`, `${TRACEPARENT}\n{"level":60}`])(
    "OP-77 %j names no trace",
    (given) => {
      expect(traceIdOf({ get: () => given } as unknown as Headers, PROXIES)).toBeUndefined();
    },
  );

  test("SE-03 without our own server, only a trusted proxy can name the address", () => {
    const headers = new Headers({ [ADDRESS_HEADER]: "6.6.6.6", "x-forwarded-for": "6.6.6.6, 203.0.113.7:49152" });
    expect([clientAddress(headers, undefined), clientAddress(headers, PROXIES)]).toEqual([null, "203.0.113.7"]);
    trustSocketAddress();
    expect([clientAddress(headers, undefined), clientAddress(headers, PROXIES)]).toEqual(["6.6.6.6", "6.6.6.6"]);
  });
});
