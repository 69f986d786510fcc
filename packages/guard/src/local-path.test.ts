import { describe, expect, test } from "vitest";
import { localPath } from "./local-path.ts";

describe("SE-12 N19 only local paths are followed", () => {
  test.each([
    "/",
    "/account",
    "/account/sessions?page=2#top",
    "/device?user_code=BCDF-GHJK",
    "/a%20b",
    "/search?q=https://evil.example//x",
    "/a/b/",
  ])("accepts %s", (path) => {
    expect(localPath(path)).toBe(path);
  });

  test("returns a path without dot segments, as a browser requests it", () => {
    expect(localPath("/a/../users?page=2#top")).toBe("/users?page=2#top");
    expect(localPath('/users?query="x"')).toBe("/users?query=%22x%22");
  });

  test.each([
    "//evil",
    "///evil",
    "/\\evil",
    "\\/evil",
    "\\\\evil",
    "https:evil",
    "https://evil",
    "javascript:alert(1)",
    "evil",
    "",
    "%2f%2fevil",
    "/%2fevil",
    "/%2Fevil",
    "/%5cevil",
    "/%252fevil",
    "/%25252fevil",
    "/a\\b",
    "/\t/evil",
    "\t//evil",
    "/\n/evil",
    "/%09/evil",
    "/%0d%0aSet-Cookie:a=b",
    "/%00",
    "/a b",
    "/é",
    "/%zz",
    "/%ff",
    "/..//evil",
    "/a/..//evil",
    "/%2e%2e//evil",
    "/x%3f/..//evil",
    "/x%23/..//evil",
    "/x%253f/..//evil",
    " /account",
    `/${"a".repeat(3000)}`,
    `/users?query=${'"'.repeat(700)}`,
    `/%${"25".repeat(1000)}41`,
  ])("rejects %j", (path) => {
    expect(localPath(path)).toBeUndefined();
  });

  test.each([
    "/auth/sign-out",
    "/auth",
    "/auth/",
    "/AUTH/sign-out",
    "/auth//sign-out",
    "//auth/sign-out",
    "/%61uth/sign-out",
    "/%2561uth/sign-out",
    "/x/../auth/sign-out",
    "/x%2f..%2fauth/sign-out",
    "/x%3f/../auth/sign-out",
    "/auth?x",
    "/auth#x",
  ])("rejects %s when the paths below /auth are excluded", (path) => {
    expect(localPath(path, { outside: "/auth" })).toBeUndefined();
  });

  test.each(["/authors", "/a/auth/b", "/", "/search?q=/auth/x"])("then still accepts %s", (path) => {
    expect(localPath(path, { outside: "/auth" })).toBe(path);
  });

  test.each([null, undefined])("rejects the absent value %s", (value) => {
    expect(localPath(value)).toBeUndefined();
  });
});
