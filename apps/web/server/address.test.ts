import { describe, expect, test } from "vitest";
import { ADDRESS_HEADER, clientAddress, settleAddress, vouchForAddresses } from "./address.ts";

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

  test("the header means nothing until our own server sets it", () => {
    const headers = new Headers({ [ADDRESS_HEADER]: "6.6.6.6" });
    expect(clientAddress(headers)).toBeNull();
    vouchForAddresses();
    expect(clientAddress(headers)).toBe("6.6.6.6");
  });
});
