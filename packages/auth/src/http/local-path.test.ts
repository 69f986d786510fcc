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
    " /account",
    `/${"a".repeat(3000)}`,
    `/%${"25".repeat(1000)}41`,
  ])("rejects %j", (path) => {
    expect(localPath(path)).toBeUndefined();
  });

  test("rejects an absent value", () => {
    expect(localPath(null)).toBeUndefined();
  });
});
