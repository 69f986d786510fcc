import { describe, expect, test } from "vitest";
import { patternOf } from "./pattern.ts";
import { readPolicies } from "./policy-lookup.ts";

test.each([
  ["/a/[one]", "/a/b", true],
  ["/a/[one]", "/a/b/c", false],
  ["/a/[...rest]", "/a/b/c", true],
  ["/a/[...rest]", "/a", false],
  ["/a/[[...rest]]", "/a", true],
  ["/.well-known/x", "/xwell-known/x", false],
])("%s matches %s: %s", (path, pathname, matches) => {
  expect(patternOf(path).test(pathname)).toBe(matches);
});

test.each(["/orders/[order-id]", "/(shop)/orders", "/@modal/orders", "/orders/x[one]"])(
  "%s is not supported, and the error says so",
  (path) => {
    expect(() => patternOf(path)).toThrow(/does not support the segment/);
  },
);

describe("D9 the session that the guard requires", () => {
  const { requirementOf, policyAt, isReactPage } = readPolicies({
    "/orders": { requires: "public", kind: "react" },
    "/orders/[id]": { requires: "signed_in", kind: "react" },
    "/orders/new": { requires: "public", kind: "react" },
    "/orders/[id]/items": { requires: "session", kind: "endpoint" },
    "/files/[[...path]]": { requires: "signed_in", kind: "react" },
    "/files/public/[...path]": { requires: "public", kind: "endpoint" },
    "/[...notFound]": { requires: "public", kind: "endpoint" },
  });
  const sent = (path: string) => requirementOf(path, () => path);

  test.each([
    ["/orders", true],
    ["/orders/7", true],
    ["/orders/7/items", false],
    ["/files/public/a", false],
    ["/files/a", true],
    ["/token", false],
  ])("Next renders %s: %s", (path, renders) => {
    expect(isReactPage(path)).toBe(renders);
    expect(policyAt(path)?.kind === "react").toBe(renders);
  });

  test.each([
    ["/orders", undefined],
    ["/orders/7", "signed_in"],
    ["/orders/7/items", "session"],
    ["/orders/7/items/8", undefined],
    ["/orders/new", undefined],
    ["/files", "signed_in"],
    ["/files/a/b", "signed_in"],
    ["/files/public", "signed_in"],
    ["/files/public/a", undefined],
    ["/elsewhere", undefined],
  ])("the most specific route decides: %s requires %s", (path, requires) => {
    expect(sent(path)).toBe(requires);
  });

  test.each([
    ["/orders/new", "/orders/NEW"],
    ["/orders/new", "/orders/%6eew"],
    ["/orders/new", "/orders/new/"],
    ["/files/public/a", "/files/Public/a"],
  ])("%s sent as %s could reach a guarded route, so it is guarded", (path, written) => {
    expect(requirementOf(path, () => written)).toBe("signed_in");
  });

  test.each([
    ["/orders/7", "react"],
    ["/orders/7/items", "endpoint"],
    ["/Orders/7", "endpoint"],
    ["/orders/7/", "endpoint"],
  ])("paths are compared byte for byte: %s is served by a route of kind %s", (path, kind) => {
    expect(policyAt(path)?.kind).toBe(kind);
  });
});
