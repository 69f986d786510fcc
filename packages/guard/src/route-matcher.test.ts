import { describe, expect, test } from "vitest";
import { MalformedPathError } from "./path.ts";
import { createRouteMatcher } from "./route-matcher.ts";

describe("createRouteMatcher", () => {
  test.each([
    ["/api/protected(.*)", "/api/protected", true],
    ["/api/protected(.*)", "/api/protected/", true],
    ["/api/protected(.*)", "/api/protected/a/b", true],
    ["/api/protected(.*)", "/API//Protected/%61", true],
    ["/api/protected(.*)", "/api/protectedX", false],
    ["/api/protected(.*)", "/api/protected-data", false],
    ["/api/protected(.*)", "/x/api/protected", false],
    ["/api/(.*)", "/api/x", true],
    ["/(.*)", "/", true],
    ["(.*)", "/a/b", true],
    ["/", "/", true],
    ["/", "/a", false],
    ["/a/:id", "/a/1", true],
    ["/a/:id", "/a", false],
    ["/a/:id", "/a/1/2", false],
    ["/a/:id/b", "/a/1/b", true],
    ["/a/:path*", "/a", true],
    ["/a/:path*", "/a/b/c", true],
    ["/a/:path*", "/ab", false],
    ["/a/:path+", "/a", false],
    ["/a/:path+", "/a/b/c", true],
    ["/.well-known/x", "/.well-known/x", true],
    ["/.well-known/x", "/awell-known/x", false],
    ["/Sign-In", "/sign-in", true],
  ])("%s on %s: %s", (pattern, path, expected) => {
    expect(createRouteMatcher([pattern])(path)).toBe(expected);
    expect(createRouteMatcher(["/other", pattern])({ url: `http://gate.example${path}?q=/api/x#f` })).toBe(expected);
  });

  test.each(["api", "/a/", "/a*", "/(a|b)", "/a/:x*/b", "/a?", "", "api(.*)", "/a//b", "/a/[b]"])(
    "rejects the pattern %j",
    (pattern) => {
      expect(() => createRouteMatcher([pattern])).toThrow(/route pattern/);
    },
  );

  test("throws for a malformed path", () => {
    expect(() => createRouteMatcher(["/(.*)"])("/api/%zz")).toThrow(MalformedPathError);
  });
});
