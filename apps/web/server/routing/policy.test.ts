import { describe, expect, test } from "vitest";
import { patternOf } from "./pattern.ts";
import { readTable } from "./policy.ts";

test.each([
  ["/a/[one]", "/a/b", true],
  ["/a/[one]", "/a/b/c", false],
  ["/a/[...rest]", "/a/b/c", true],
  ["/a/[...rest]", "/a", false],
  ["/a/[[...rest]]", "/a", true],
  ["/.well-known/x", "/xwell-known/x", false],
])("%s covers %s: %s", (path, pathname, covers) => {
  expect(patternOf(path).test(pathname)).toBe(covers);
});

test.each(["/orders/[order-id]", "/(shop)/orders", "/@modal/orders", "/orders/x[one]"])("%s has no pattern, and says so", (path) => {
  expect(() => patternOf(path)).toThrow(/cannot name the segment/);
});

describe("D9 what the gate demands of a path", () => {
  const { demandOf, policyAt } = readTable({
    "/orders": { demand: "public", audience: "react" },
    "/orders/[id]": { demand: "signed_in", audience: "react" },
    "/orders/new": { demand: "public", audience: "react" },
    "/orders/[id]/items": { demand: "session", audience: "machine" },
    "/files/[[...path]]": { demand: "signed_in", audience: "react" },
    "/files/public/[...path]": { demand: "public", audience: "machine" },
    "/[...nowhere]": { demand: "public", audience: "machine" },
  });
  const sent = (path: string) => demandOf(path, () => path);

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
  ])("the most specific route decides about %s: %s", (path, demand) => {
    expect(sent(path)).toBe(demand);
  });

  test.each([
    ["/orders/new", "/orders/NEW"],
    ["/orders/new", "/orders/%6eew"],
    ["/orders/new", "/orders/new/"],
    ["/files/public/a", "/files/Public/a"],
  ])("%s written as %s may lead to a guarded route, and is guarded", (path, written) => {
    expect(demandOf(path, () => written)).toBe("signed_in");
  });

  test.each([
    ["/orders/7", "react"],
    ["/orders/7/items", "machine"],
    ["/Orders/7", "machine"],
    ["/orders/7/", "machine"],
  ])("the route of %s is matched byte for byte: %s", (path, audience) => {
    expect(policyAt(path)?.audience).toBe(audience);
  });
});
