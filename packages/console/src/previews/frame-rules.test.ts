import { describe, expect, test } from "vitest";
import { frameProblems, mostSlotSeconds, sharedSuffixOf } from "./frame-rules.ts";

const DEVELOPMENT = { type: "web", environment: "development" } as const;
const frame = (hostPrefix: string, hostSuffix: string, path = "/callback") => ({ hostPrefix, hostSuffix, path });

describe("CO-29 which frames an admin may set", () => {
  test.each([
    [frame("", ".preview.example.com"), null, 14],
    [frame("shop-", ".example.co.uk"), null, 14],
    [frame("shop-git-", "-team.vercel.app"), "vercel.app", 3],
    [frame("deploy-preview-", "--shop.netlify.app"), "netlify.app", 3],
    [frame("", ".shop.github.io"), null, 14],
  ])("%o: hosts of strangers under %s, at most %i days", (one, shared, days) => {
    expect(frameProblems(one, DEVELOPMENT)).toEqual([]);
    expect(sharedSuffixOf(one)).toBe(shared);
    expect(mostSlotSeconds(one)).toBe(days * 86_400);
  });

  test.each([
    [frame("", "-team.vercel.app"), ["frame.hostPrefix"]],
    [frame("shop-", ".vercel.app"), ["frame.hostSuffix"]],
    [frame("", ".vercel.app"), ["frame.hostPrefix", "frame.hostSuffix"]],
    [frame("shop-", ".com"), ["frame.hostSuffix"]],
    [frame("shop-", "-team.co.uk"), ["frame.hostSuffix"]],
    [frame("", "example.com"), ["frame.hostSuffix"]],
    [frame("", ".test"), ["frame.hostSuffix"]],
    [frame("127", ".0.0.1"), ["frame.hostSuffix"]],
    [frame("a.b", ".example.com"), ["frame.hostPrefix"]],
    [frame("user@", ".example.com"), ["frame.hostPrefix"]],
    [frame("*", ".example.com"), ["frame.hostPrefix"]],
    [frame("shop-", "*.example.com"), ["frame.hostSuffix"]],
    [frame("shop-", ".Example.com"), ["frame.hostSuffix"]],
    [frame("shop-", ".example.com:8443"), ["frame.hostSuffix"]],
    [frame("shop-", ".example.com", "callback"), ["frame.path"]],
    [frame("shop-", ".example.com", "/callback#x"), ["frame.path"]],
    [frame("shop-", ".example.com", "/a/../callback"), ["frame.path"]],
    [frame("shop-", ".example.com", "/callback?code=1"), ["frame.path"]],
  ])("%o is refused at its field", (one, paths) => {
    expect(frameProblems(one, DEVELOPMENT).map(({ path }) => path)).toEqual(paths);
  });
});
