import { describe, expect, test } from "vitest";
import { codeLines, linesWith, piecesOf, unfoldedLines, unfoldTo } from "./lines.ts";
import { prettyJson } from "./pretty-json.ts";

const lines = codeLines(prettyJson('{"a":{"b":[1,{"c":"x {"}],"d":{}},"e":"["}') ?? "", true);
const at = (part: string) => lines.findIndex(({ text }) => text.includes(part));
const closing = (part: string) => lines[at(part)]?.closedBy;

describe("the lines of formatted JSON", () => {
  test("know which line closes the block that they open", () => {
    expect(closing('"b"')).toBe(lines.findIndex(({ text }) => text.trim() === "],"));
    expect(closing('"a"')).toBe(lines.findIndex(({ text }) => text.trim() === "},"));
    expect(lines[0]?.closedBy).toBe(lines.length - 1);
  });

  test("open no block with a bracket in a string, or with an empty object", () => {
    expect([closing('"c"'), closing('"d"'), closing('"e"')]).toEqual([null, null, null]);
  });

  test("are hidden while a block around them is folded, and shown again to reach a match", () => {
    const folded = new Set([at('"b"'), 0]);
    expect(unfoldedLines(lines, folded)).toEqual([0]);
    const reached = unfoldTo(lines, folded, at('"c"'));
    expect(unfoldedLines(lines, reached)).toHaveLength(lines.length);
  });
});

describe("a search", () => {
  test("finds lines with case ignored, and nothing for an empty query", () => {
    expect(linesWith(lines, "X {")).toEqual([at('"c"')]);
    expect(linesWith(lines, "")).toEqual([]);
  });

  test("marks each match, also across tokens", () => {
    const pieces = piecesOf('  "amount": 4200,', true, '": 4');
    expect(pieces.filter(({ marked }) => marked).map(({ text }) => text)).toEqual(['"', ":", " ", "4"]);
    expect(pieces.map(({ text }) => text).join("")).toBe('  "amount": 4200,');
    expect(pieces.filter(({ kind }) => kind === "number").map(({ text }) => text)).toEqual(["4", "200"]);
  });
});

test("a long line is cut, and says by how much", () => {
  expect(codeLines(`short\n${"x".repeat(10_000)}`, false)).toMatchObject([{ cut: 0 }, { cut: 6_000 }]);
});
