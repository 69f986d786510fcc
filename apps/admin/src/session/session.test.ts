import { describe, expect, test } from "vitest";
import { contentSecurityPolicy } from "./content-security-policy.ts";
import { isProcedurePath } from "./forward.ts";

test("CO-92 scripts and style elements need the nonce, and nothing frames the console", () => {
  const policy = contentSecurityPolicy("N0nce", {
    development: false,
    secure: true,
    issuer: "https://id.example.com",
  }).split("; ");
  expect(policy).toContain("style-src-elem 'self' 'nonce-N0nce'");
  expect(policy).toContain("style-src-attr 'unsafe-inline'");
  expect(policy).toContain("script-src 'self' 'nonce-N0nce' 'strict-dynamic'");
  expect(policy).toEqual(expect.arrayContaining(["frame-ancestors 'none'", "form-action 'self'", "base-uri 'none'"]));
});

describe("procedure paths that are forwarded, SE-21", () => {
  test.each(["me.get", "applications.list", "me.get,deliveries.list,clients.checkRedirectUri"])(
    "include %s",
    (path) => {
      expect(isProcedurePath(path)).toBe(true);
    },
  );

  test.each([
    "..",
    ".",
    "...",
    "me",
    "me.get,..",
    ",me.get",
    "me.get/..",
    "me.get?x",
    `me.get${",me.get".repeat(300)}`,
  ])("exclude %j", (path) => {
    expect(isProcedurePath(path)).toBe(false);
  });
});

describe("the content security policy, SE-13", () => {
  const policy = contentSecurityPolicy("n0nce", { development: false, secure: true, issuer: "https://id.example.com" });

  test("allows scripts by nonce only and forbids framing", () => {
    expect(policy).toContain("script-src 'self' 'nonce-n0nce' 'strict-dynamic';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("unsafe-eval");
  });

  test("allows no other origin, except for frames of the server's previews. CO-68", () => {
    expect(policy.split("; ").filter((directive) => /https?:\/\//.test(directive))).toEqual([
      "frame-src https://id.example.com",
    ]);
  });
});
