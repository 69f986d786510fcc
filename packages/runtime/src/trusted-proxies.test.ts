import { describe, expect, test } from "vitest";
import { addressBehind, readTrustedProxies } from "./trusted-proxies.mjs";

const listed = readTrustedProxies({ GATEHOUSE_TRUSTED_PROXIES: "10.0.0.0/8, 192.0.2.7,2001:db8::/32" });
const one = readTrustedProxies({ GATEHOUSE_TRUST_PROXY: "1" });

describe("OP-16 CO-64 SE-03 the address of a caller", () => {
  test.each([
    ["through one proxy of the list", "10.1.2.3", "203.0.113.9", "203.0.113.9"],
    [
      "through several, read from the right past those of the list",
      "10.1.2.3",
      "6.6.6.6, 203.0.113.9, 192.0.2.7, 10.9.9.9",
      "203.0.113.9",
    ],
    ["over IPv6", "2001:db8::1", "2001:db9::5", "2001:db9::5"],
    ["of a proxy that writes its peer as IPv4 in IPv6", "::ffff:10.1.2.3", "203.0.113.9", "203.0.113.9"],
    ["within the list: the farthest of them", "10.1.2.3", "10.0.0.5, 10.0.0.6", "10.0.0.5"],
    ["that no proxy names", "10.1.2.3", undefined, "10.1.2.3"],
    ["behind a hop that is no address: the nearest proxy", "10.1.2.3", "203.0.113.9, unknown, 10.9.9.9", "10.9.9.9"],
    ["that claims hops, without a proxy", "203.0.113.50", "10.0.0.1, 6.6.6.6", "203.0.113.50"],
    ["next to the list", "11.0.0.1", "6.6.6.6", "11.0.0.1"],
  ])("%s", (_, peer, forwarded, address) => {
    expect(addressBehind(listed, peer, forwarded).address).toBe(address);
  });

  test("with the switch: one hop, of a proxy in a private network", () => {
    expect(addressBehind(one, "172.20.0.2", "6.6.6.6, 10.0.0.9")).toEqual({ address: "10.0.0.9", isProxied: true });
    expect(addressBehind(one, "fd00::2", ["6.6.6.6", "[2001:db9::5]:443"]).address).toBe("2001:db9::5");
    expect(addressBehind(one, "203.0.113.50", "6.6.6.6")).toEqual({ address: "203.0.113.50", isProxied: false });
  });

  test("with neither, the socket alone", () => {
    expect(readTrustedProxies({ GATEHOUSE_TRUST_PROXY: "0", GATEHOUSE_TRUSTED_PROXIES: "" })).toBeUndefined();
    expect(addressBehind(undefined, "127.0.0.1", "6.6.6.6")).toEqual({ address: "127.0.0.1", isProxied: false });
    expect(addressBehind(listed, undefined, "6.6.6.6").address).toBeUndefined();
  });

  test.each(["10.0.0.0/33", "10.0.0.0/", "10.0.0.0/8/8", "proxy.internal", "10.0.0.1 10.0.0.2", "::/129", ","])(
    "a list with %j is an error with exit code 78",
    (list) => {
      expect(() => readTrustedProxies({ GATEHOUSE_TRUSTED_PROXIES: list })).toThrow(
        expect.objectContaining({
          exitCode: 78,
          message: expect.stringContaining("GATEHOUSE_TRUSTED_PROXIES must be"),
        }),
      );
    },
  );

  test("the list beside the switch is an error", () => {
    const both = { GATEHOUSE_TRUSTED_PROXIES: "10.0.0.1", GATEHOUSE_TRUST_PROXY: "1" };
    expect(() => readTrustedProxies(both)).toThrow(/must not be set beside/);
  });
});
