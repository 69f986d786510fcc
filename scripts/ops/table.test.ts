import { expect, test } from "vitest";
import { figuresTable, nameOf } from "./table.mjs";

test("a file is named by the rule that it tests", () => {
  expect(nameOf("op-40-fleet.test.ts")).toBe("OP-40");
});

test("the table of a test has its figures, what they have to be, and which are missed", () => {
  const figures = [
    { what: "requests", value: 12_345 },
    { what: "worst p99", value: 1.234, unit: "ms", limit: "< 1", isMet: false },
  ];
  const result = { id: "OP-40", figures, skipped: [], form: "short", at: "2026-11-28T10:00:00Z", machine: "2 cores" };
  expect(figuresTable(result)).toBe(
    [
      "OP-40: short form, 2026-11-28, 2 cores",
      "",
      "|           | measured | holds       |",
      "|-----------|----------|-------------|",
      "| requests  | 12,345   |             |",
      "| worst p99 | 1.23 ms  | < 1, missed |",
    ].join("\n"),
  );
});

test("what was skipped is said, with the reason", () => {
  const result = { id: "OP-40", figures: [], skipped: ["install the Debian package slowhttptest"] };
  expect(figuresTable(result)).toBe("OP-40\nSkipped: install the Debian package slowhttptest");
});
