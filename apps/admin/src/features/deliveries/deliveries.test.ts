import { describe, expect, test } from "vitest";
import { prettyJson } from "./pretty-json.ts";
import { deliveryListInput } from "./query.ts";

describe("the payload as it is shown", () => {
  test("is laid out over lines without changing a value", () => {
    expect(prettyJson('{"id":12345678901234567890,"a":[1.10,"x:,{}\\""],"e":{},"n":[]}')).toBe(
      '{\n  "id": 12345678901234567890,\n  "a": [\n    1.10,\n    "x:,{}\\""\n  ],\n  "e": {},\n  "n": []\n}',
    );
  });

  test("stays readable when a stranger sends nothing but brackets", () => {
    expect(prettyJson("[".repeat(2000) + "]".repeat(2000))?.length).toBeLessThan(400_000);
  });

  test.each(["", "null", "5", '"text"', "{broken", "a=b"])("stays as it is: %j", (text) => {
    expect(prettyJson(text)).toBeUndefined();
  });
});

describe("filters from the URL", () => {
  const read = (filters: Record<string, string>) => deliveryListInput((name) => filters[name] ?? "");

  test("are handed on", () => {
    const filters = {
      provider: "stripe",
      outcome: "rejected",
      reason: "signature_missing",
      eventType: "a",
      eventId: "evt_1",
      from: "1",
      to: "2",
    };
    expect(read(filters)).toEqual({ ...filters, from: 1, to: 2, limit: 50 });
  });

  test("are left out where they make no sense, so that a bad link still opens", () => {
    expect(read({ outcome: "toString", reason: "no", from: "yesterday", to: "-1" })).toEqual({ limit: 50 });
    expect(read({ provider: "\u0000stripe\n" })).toEqual({ provider: "stripe", limit: 50 });
  });
});
