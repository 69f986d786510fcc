import { describe, expect, test } from "vitest";
import { takenAway } from "./taken-away.ts";

const BEFORE = {
  redirectUris: ["https://shop.example/a", "https://shop.example/b"],
  grantTypes: ["authorization_code" as const, "refresh_token" as const],
  scopes: ["openid", "email"],
  options: { resources: ["https://stock.example"], accessTokenSeconds: 600 },
};

describe("CO-37 what a save takes away", () => {
  test("nothing, if settings are only added or longer", () => {
    expect(takenAway(BEFORE, BEFORE)).toEqual([]);
    const more = {
      ...BEFORE,
      scopes: [...BEFORE.scopes, "profile"],
      options: { ...BEFORE.options, accessTokenSeconds: 900 },
    };
    expect(takenAway(BEFORE, more)).toEqual([]);
  });

  test("each kind of setting, with what is missing", () => {
    const less = {
      redirectUris: ["https://shop.example/a"],
      grantTypes: ["authorization_code" as const],
      scopes: ["openid"],
      options: {},
    };
    expect(takenAway(BEFORE, less)).toEqual([
      { kind: "redirect_uris", removed: ["https://shop.example/b"] },
      { kind: "grant_types", removed: ["refresh_token"] },
      { kind: "scopes", removed: ["email"] },
      { kind: "resources", removed: ["https://stock.example"] },
      { kind: "lifetimes" },
    ]);
  });

  test("a lifetime that is shorter", () => {
    const shorter = { ...BEFORE, options: { ...BEFORE.options, accessTokenSeconds: 300 } };
    expect(takenAway(BEFORE, shorter)).toEqual([{ kind: "lifetimes" }]);
  });
});
