import { describe, expect, test } from "vitest";
import { differing, nameOf, textOf, withValues } from "./conflict-fields.ts";

const base = { scopes: ["openid"], options: { dpop: false } as Record<string, unknown> };

describe("CO-45 what two people changed", () => {
  test("options are compared one by one, so that each keeps what the other did not touch", () => {
    const mine = { ...base, options: { dpop: true } };
    const theirs = { ...base, options: { dpop: false, accessTokenSeconds: 300 } };
    const paths = differing({ base, mine, theirs });
    expect(paths.map(nameOf)).toEqual(["options.dpop", "options.accessTokenSeconds"]);
    expect(withValues(mine, [[["options", "accessTokenSeconds"], 300]]).options).toEqual({
      dpop: true,
      accessTokenSeconds: 300,
    });
  });

  test("an option that the other one removed is removed", () => {
    expect(withValues(base, [[["options", "dpop"], undefined]]).options).toEqual({});
  });

  test("a field that is no record on one side is compared whole", () => {
    const frame = { hostSuffix: ".example.com" };
    expect(
      differing({ base: { frame }, mine: { frame: null }, theirs: { frame: { hostSuffix: ".example.org" } } }),
    ).toEqual([["frame"]]);
  });

  test("the order of keys is no difference, nor is null where nothing is", () => {
    const theirs = { ...base, options: { keys: { kid: "1", kty: "EC" } } };
    const mine = { ...base, options: { keys: { kty: "EC", kid: "1" }, dpop: null } };
    expect(differing({ base, mine, theirs })).toEqual([]);
  });

  test("values are shown with their unit, and an empty one as such", () => {
    expect(textOf(3600, "options.accessTokenSeconds")).toBe("3600 s");
    expect(textOf(30, "refreshRetrySeconds")).toBe("30 s");
    expect(textOf(true, "options.dpop")).toBe("on");
    expect(textOf(["openid", "email"], "scopes")).toBe("openid\nemail");
    expect([textOf([], "scopes"), textOf("", "name"), textOf(null, "options.accessTokenSeconds")]).toEqual([
      "(none)",
      "(empty)",
      "(empty)",
    ]);
  });
});
