import { describe, expect, test } from "vitest";
import { foldEmail, isAllowedDomain, normaliseDomain, normaliseEmail } from "./email-address.ts";

describe("EA-01 email addresses", () => {
  test.each([
    ["  Ada@Example.COM ", "ada@example.com"],
    ["ada+news@example.com", "ada+news@example.com"],
    ["a.d.a@example.com", "a.d.a@example.com"],
    ["ada@müller.example", "ada@xn--mller-kva.example"],
    ["ada@MÜLLER.example", "ada@xn--mller-kva.example"],
    ["jose\u0301@example.com", "jos\u00e9@example.com"],
    ["ada@localhost", "ada@localhost"],
    ["o'brien@example.com", "o'brien@example.com"],
  ])("%j is stored as %j", (typed, stored) => {
    expect(normaliseEmail(typed)).toBe(stored);
    expect(normaliseEmail(stored)).toBe(stored);
  });

  test.each([
    "",
    "ada",
    "@example.com",
    "ada@",
    "ada@@example.com",
    "ada@example.com,bob@example.com",
    "ada@example.com bob@example.com",
    "Ada <ada@example.com>",
    '"ada"@example.com',
    "ada@example.com\r\nBcc: bob@example.com",
    "a\0da@example.com",
    "a\u200bda@example.com",
    "ada\u2028@example.com",
    ".ada@example.com",
    "a..da@example.com",
    "ada@127.0.0.1",
    "ada@0x7f.1",
    "ada@[127.0.0.1]",
    "ada@example..com",
    "ada@-example.com",
    `${"a".repeat(65)}@example.com`,
    `ada@${"a.".repeat(126)}com`,
    `ada@${"a".repeat(64)}.com`,
  ])("%j is refused", (typed) => {
    expect(normaliseEmail(typed)).toBeUndefined();
  });

  test("the limit of 254 counts octets, not characters", () => {
    const domain = `${"d".repeat(63)}.${"d".repeat(63)}.${"d".repeat(61)}`;
    expect(normaliseEmail(`${"a".repeat(64)}@${domain}`)).toHaveLength(254);
    expect(normaliseEmail(`${"ä".repeat(33)}@${domain}`)).toBeUndefined();
  });

  test("dots and tags are folded for counting, never for identity", () => {
    expect(foldEmail("a.d.a+one@example.com")).toBe("ada@example.com");
    expect(normaliseEmail("a.d.a+one@example.com")).not.toBe(normaliseEmail("ada@example.com"));
    expect(foldEmail("+tag@example.com")).toBe("+tag@example.com");
  });
});

describe("RG-01 domains that may sign up", () => {
  test("are exact: no sub-domain and no look-alike", () => {
    const allowed = (email: string) => isAllowedDomain(email, ["example.com"]);
    expect(["a@example.com", "a@sub.example.com", "a@notexample.com", "a@example.com.evil.test"].map(allowed)).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect(isAllowedDomain("a@anything.test", [])).toBe(true);
  });

  test("are compared in IDNA ASCII", () => {
    expect(normaliseDomain("MÜLLER.example")).toBe("xn--mller-kva.example");
    expect(normaliseDomain("exa mple.com")).toBeUndefined();
  });
});
