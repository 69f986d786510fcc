import { describe, expect, test } from "vitest";
import { contentSecurityPolicy } from "./content-security-policy.ts";
import { isProcedurePath } from "./forward.ts";
import { isNearExpiry, tokensFrom } from "./tokens.ts";

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

describe("the console's tokens", () => {
  test("are renewed one minute before they expire", () => {
    const tokens = { accessToken: "a", refreshToken: "r", expiresAt: 1000 };
    expect(isNearExpiry(tokens, 939)).toBe(false);
    expect(isNearExpiry(tokens, 940)).toBe(true);
  });

  test("keep the refresh token if the server does not rotate it", () => {
    const previous = { accessToken: "a", refreshToken: "r", expiresAt: 1000 };
    const answer = { access_token: "b", token_type: "bearer" as const, expires_in: 600 };
    expect(tokensFrom(answer, 5000, previous)).toEqual({ accessToken: "b", refreshToken: "r", expiresAt: 5600 });
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
