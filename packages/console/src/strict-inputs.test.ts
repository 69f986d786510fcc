import { describe, expect, test } from "vitest";
import { appRouter } from "./root.ts";
import { strippingPaths } from "./testing/stripping.ts";

type Walkable = { _def: { procedures: Record<string, { _def: { inputs: readonly unknown[] } }> } };

const procedures = Object.entries((appRouter as unknown as Walkable)._def.procedures).map(([path, { _def }]) => [path, _def] as const);

describe("inputs", () => {
  test.each(procedures)("CO-70 %s drops no member of its input: what it doesn’t know is refused", (_, { inputs }) => {
    expect(inputs.flatMap((input) => strippingPaths(input))).toEqual([]);
  });
});
