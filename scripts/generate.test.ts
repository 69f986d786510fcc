import { expect, test } from "vitest";
import { staleFiles } from "./generate.ts";

test("CO-22 PW-03 every generated file is what npm run generate writes", () => {
  expect(staleFiles().map(({ file }) => file)).toEqual([]);
});
