import { describe, expect, test } from "vitest";
import { isUrl, MAX_URL_LENGTH, parseUrl } from "./url.ts";

describe("URLs that others wrote", () => {
  test("letters outside ASCII are read however often, when Node has compiled the code as well", () => {
    const read = Array.from({ length: 50_000 }, () => isUrl("https://ex\u00e4mple.com/"));
    expect(read).not.toContain(false);
    expect(isUrl("shop.example")).toBe(false);
  });

  test.each([
    ["https://shop.example/a?b#c", "https://shop.example/a?b#c"],
    ["https://ex\u00e4mple.com", "https://xn--exmple-cua.com/"],
    [
      `https://shop.example/${"a".repeat(MAX_URL_LENGTH - 21)}`,
      `https://shop.example/${"a".repeat(MAX_URL_LENGTH - 21)}`,
    ],
    ["https://[2001:db8::1]:8443/", "https://[2001:db8::1]:8443/"],
    ["com.example.app:/callback", "com.example.app:/callback"],
  ])("%.40s is read", (text, href) => {
    expect(parseUrl(text)?.href).toBe(href);
  });

  test.each([
    ["no URL", "shop.example"],
    ["longer than 2048 characters", `https://shop.example/${"a".repeat(MAX_URL_LENGTH)}`],
    [
      "a host of 2000 letters of another script, each of which Punycode compares with the others",
      `https://${"\u4e00\u4e01".repeat(1000)}/`,
    ],
    ["a host of a thousand labels, each of which would be a domain to look up", `https://${"a.".repeat(1000)}example/`],
  ])("%s is not", (_, text) => {
    expect(parseUrl(text)).toBeUndefined();
  });
});
