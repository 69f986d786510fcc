import { isSubsetScope } from "@gatehouse/guard";
import { describe, expect, test } from "vitest";
import { defaultScope, mergeScopes, parseScope, resolveScope } from "./scope.ts";
import { SCOPES } from "./scope-table.ts";

const plain = { scopes: ["openid", "offline_access", "api:read"], firstParty: false };
const greedy = { scopes: ["api:read", "console:read", "account:read"], firstParty: false };
const console_ = { scopes: ["api:read", "console:read", "account:read"], firstParty: true };

describe("scope, OAuth 2.1 §1.4.1", () => {
  test.each([
    ["one", "a", ["a"]],
    ["two in any order", "b a", ["b", "a"]],
    ["a repeated token collapses", "a b a", ["a", "b"]],
    ["every bracket of the grammar", "! # [ ] ~", ["!", "#", "[", "]", "~"]],
    ["a quote", 'a"b', undefined],
    ["a backslash", "a\\b", undefined],
    ["a tab", "a\tb", undefined],
    ["a newline at the end", "a\n", undefined],
    ["repeated spaces, which are ignored", "a   b", ["a", "b"]],
    ["a leading space, which is ignored", " a", ["a"]],
    ["a trailing space, which is ignored", "a ", ["a"]],
    ["nothing but spaces", "  ", []],
    ["a no-break space", "a\u00a0b", undefined],
    ["a non-ASCII letter", "é", undefined],
  ])("AZ-15 grammar: %s", (_, scope, tokens) => {
    expect(parseScope(scope)).toEqual(tokens);
  });

  test("AZ-14 the default scope is every API scope of the client, without identity and console", () => {
    expect(defaultScope(plain)).toBe("api:read");
    expect(defaultScope(console_)).toBe("api:read");
    expect(resolveScope(undefined, plain)).toEqual({ ok: true, scope: "api:read" });
  });

  test("CF-13 drops standard OpenID scopes that the client is not registered for", () => {
    expect(resolveScope("openid profile email address phone offline_access api:read", plain)).toEqual({
      ok: true,
      scope: "openid offline_access api:read",
    });
  });

  test.each([
    ["AZ-16 an unknown scope", "admin:all", plain, { cause: "scope_unknown", token: "admin:all" }],
    ["AZ-16 a scope the client lacks", "api:write", plain, { cause: "scope_not_allowed", token: "api:write" }],
    [
      "an account scope registered for a third party",
      "account:read",
      greedy,
      { cause: "scope_not_allowed", token: "account:read" },
    ],
    [
      "a console scope registered for a third party",
      "console:read",
      greedy,
      { cause: "scope_not_allowed", token: "console:read" },
    ],
    ["an inherited property name", "constructor", plain, { cause: "scope_unknown", token: "constructor" }],
    ["AZ-05 another case", "API:READ", plain, { cause: "scope_unknown", token: "API:READ" }],
    ["AZ-15 a quote", 'api:read"', plain, { cause: "scope_malformed", token: null }],
  ])("rejects %s", (_, asked, client, problem) => {
    expect(resolveScope(asked, client)).toEqual({ ok: false, problem });
  });

  test("a first-party client may hold the console's scopes", () => {
    for (const scope of ["console:read", "account:read"])
      expect(resolveScope(scope, console_)).toEqual({ ok: true, scope });
  });

  test("a scope of the product's table is known, held and described like one of Gatehouse's", () => {
    const offer = { scopes: { ...SCOPES, "notes:read": { description: "read your notes", kind: "api" } } } as const;
    const client = { scopes: ["notes:read"], firstParty: false };
    expect(resolveScope("notes:read", client, offer)).toEqual({ ok: true, scope: "notes:read" });
    expect(resolveScope(undefined, client, offer)).toEqual({ ok: true, scope: "notes:read" });
    expect(resolveScope("notes:read", plain, offer)).toMatchObject({ problem: { cause: "scope_not_allowed" } });
    expect(resolveScope("notes:read", client)).toMatchObject({ problem: { cause: "scope_unknown" } });
  });

  test("subset and union compare tokens, not text", () => {
    expect(isSubsetScope("b a", "a b c")).toBe(true);
    expect(isSubsetScope("api:read", "api:readwrite")).toBe(false);
    expect(isSubsetScope("", "")).toBe(true);
    expect(mergeScopes("a b", "b c")).toBe("a b c");
    expect(mergeScopes("", "a")).toBe("a");
  });
});
