import { describe, expect, test } from "vitest";
import { normalisePath } from "./path.ts";

describe("normalisePath", () => {
  test.each([
    ["/", "/"],
    ["/api/x", "/api/x"],
    ["/api/x/", "/api/x"],
    ["//api//x", "/api/x"],
    ["/API/X", "/api/x"],
    ["/api/%78", "/api/x"],
    ["/%61pi/x", "/api/x"],
    ["/api%2Fx", "/api/x"],
    ["/api/caf%C3%A9", "/api/café"],
    ["/api/...", "/api/..."],
    ["/api/100%25", "/api/100%"],
  ])("SD-02 N39 %s is %s", (raw, path) => {
    expect(normalisePath(raw)).toBe(path);
  });

  test.each([
    ["a malformed escape", "/api/%zz"],
    ["half an escape", "/api/%7"],
    ["bytes that are not UTF-8", "/api/%ff"],
    ["a newline", "/api/x%0a"],
    ["a carriage return", "/api/x%0d"],
    ["NUL", "/api/x%00"],
    ["a raw newline", "/api/x\n"],
    ["an escaped backslash", "/api%5cx"],
    ["a backslash", "/api\\x"],
    ["an escape inside an escape", "/api%252fx"],
    ["a letter escaped twice", "/%2561pi"],
    ["dot segments", "/api/../admin"],
    ["escaped dot segments", "/api/%2e%2e/admin"],
    ["a dot segment", "/api/./x"],
    ["no leading slash", "api/x"],
    ["nothing", ""],
  ])("SD-02 rejects %s", (_, raw) => {
    expect(normalisePath(raw)).toBeUndefined();
  });
});
