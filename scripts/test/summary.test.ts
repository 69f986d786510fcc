import { expect, test } from "vitest";
import { budgetsOf, LAYERS } from "./layers.mjs";
import { summary } from "./summary.mjs";

const [lint, types] = LAYERS;
const counts = { passed: 1, failed: 0, skipped: 0, failures: [], files: [] };
const results = [
  { layer: lint, ...counts, wallSeconds: 10, cpuSeconds: 20 },
  {
    layer: types,
    ...counts,
    passed: 0,
    failed: 1,
    failures: [{ title: "a file › a test", messages: ["the cause"] }],
    wallSeconds: 31,
    cpuSeconds: 40,
  },
];
const text = (run?: "test" | "full") => summary(results, run ? budgetsOf(run) : () => undefined);

test("the total is alone on the last line, after each failure with its cause", () => {
  expect(text("test").split("\n").at(-1)).toBe("1 passed, 1 failed");
  expect(text("test")).toMatch(/Failed:\n {2}Types: a file › a test\n {6}the cause/);
});

test("a layer over its budget is named in npm test; the full run has a budget for its total alone, and a part of a run has none", () => {
  expect(text("test").match(/^ {2}\w+.*over its budget by .*$/gm)).toEqual([
    expect.stringMatching(/^ {2}Types .* by 6\.0 s$/),
  ]);
  expect(text("full")).toMatch(/^ {2}Total .* 2400 s$/m);
  expect(`${text("full")}${text()}`).not.toContain("over its budget");
});
