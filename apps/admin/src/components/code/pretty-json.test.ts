import { describe, expect, test } from "vitest";
import { prettyJson } from "./pretty-json.ts";

describe("a formatted payload", () => {
  test("spans lines and keeps every value", () => {
    expect(prettyJson('{"id":12345678901234567890,"a":[1.10,"x:,{}\\""],"e":{},"n":[]}')).toBe(
      '{\n  "id": 12345678901234567890,\n  "a": [\n    1.10,\n    "x:,{}\\""\n  ],\n  "e": {},\n  "n": []\n}',
    );
  });

  test("stays small when the body consists of brackets only", () => {
    expect(prettyJson("[".repeat(2000) + "]".repeat(2000))?.length).toBeLessThan(400_000);
  });

  test.each(["", "null", "5", '"text"', "{broken", "a=b"])("is not available for %j", (text) => {
    expect(prettyJson(text)).toBeUndefined();
  });
});
