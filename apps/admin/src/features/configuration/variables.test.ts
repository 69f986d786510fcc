import { expect, test } from "vitest";
import { variablesOf } from "./variables.ts";

test("CO-72 finds what a file takes from variables, each once; text that is no JSON has none", () => {
  const file = {
    a: [{ secret: { from_env: "SHOP" } }, { from_env: "DESK" }],
    b: { from_env: "SHOP" },
    c: { from_env: "X", also: 1 },
  };
  expect(variablesOf(JSON.stringify(file))).toEqual(["DESK", "SHOP"]);
  expect(variablesOf('{"from_env": ')).toEqual([]);
});
