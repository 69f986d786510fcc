import { describe, expect, test } from "vitest";
import { PROCEDURES } from "./testing/procedures.ts";
import { strippingPaths } from "./testing/stripping.ts";

describe("inputs", () => {
  test.each(PROCEDURES)("CO-70 $path drops no member of its input: what it doesn’t know is refused", ({ inputs }) => {
    expect(inputs.flatMap((input) => strippingPaths(input))).toEqual([]);
  });
});
