import { describe, expect, test } from "vitest";
import { brandingProblems } from "./rules.ts";

describe("BD-01 the branding of an application", () => {
  test("may have a name, a colour and https links, or nothing", () => {
    const links = {
      termsUrl: "https://shop.example/terms",
      privacyUrl: "https://shop.example/p?a=b",
      supportUrl: "https://help.example",
    };
    expect(brandingProblems({ displayName: "Shop & Söhne", colour: "#4f46e5", ...links })).toEqual([]);
    expect(brandingProblems({})).toEqual([]);
  });

  test.each([
    ["displayName", ""],
    ["displayName", "two\nlines"],
    ["displayName", "x".repeat(81)],
    ["colour", "red"],
    ["colour", "#fff"],
    ["colour", "#4F46E5; } body { display: none"],
    ["termsUrl", "http://shop.example/terms"],
    ["privacyUrl", "javascript:alert(1)"],
    ["supportUrl", "https://user:password@shop.example/"],
    ["supportUrl", `https://shop.example/${"x".repeat(500)}`],
    ["supportUrl", "mailto:help@shop.example"],
  ])("names the field %s for %j", (path, value) => {
    expect(brandingProblems({ [path]: value }).map((problem) => problem.path)).toEqual([path]);
  });
});
