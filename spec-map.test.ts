import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

// docs/spec-map.md says which rule is checked where. Here it is held to that: each failure names the line to mend.

const ROOT = import.meta.dirname;
const MAP = "docs/spec-map.md";
const SKIPPED = new Set(["node_modules", ".next", ".turbo", "dist", "migrations", "public", "test-results"]);

const SPEC_ID = String.raw`(?:AZ|RU|TK|CA|PK|AC|RT|CC|BR|NA|BB|SE|DF|RV|IN|MD|PM|RI|PA|DP|DC|CI|JT|JA|TX|SU|OI|LO|MC|SD|NX|CF|RG|EA|PW|FP|WA|MF|AL|ML|UP|SN|AB|UM|EM|LG|BD|AX|OR)-\d{2}|N\d{2}|interop-\d+`;
/** Requirements, and the decisions that tests name. */
const ANY_ID = new RegExp(String.raw`\b(?:${SPEC_ID}|D\d{1,2})\b`, "g");
/** What comments cite; a bare N01 or D9 could be anything there. */
const CITED_ID = /\b[A-Z]{2}-\d{2}\b/g;

/** Families of which the map has only the rules that are met so far. Other tests may name the rest. */
const GROWING = ["CO", "OP"];

type Row = { id: string; sources: string[]; tests: string[] };

const read = (file: string) => readFileSync(join(ROOT, file), "utf8");

function filesBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : filesBelow(path);
    return /\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

/** The cells of every table row below a heading, up to the next heading of its rank. */
function rowsBelow(heading: string): string[][] {
  const section =
    read(MAP)
      .split(/^## /m)
      .find((part) => part.startsWith(`${heading}\n`)) ?? "";
  return section
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| id") && !line.startsWith("|---"))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

const paths = (cell = "") => [...cell.matchAll(/`([^`]+)`/g)].map(([, path]) => path ?? "");

/** `DC-01 … DC-03, MC-04` as single ids. */
function expand(cell: string): string[] {
  return cell.split(",").flatMap((part) => {
    const [first = "", last] = part.split("…").map((id) => id.trim());
    if (last === undefined) return [first];
    const [family = "", from = ""] = first.split("-");
    return Array.from(
      { length: Number(last.split("-")[1]) - Number(from) + 1 },
      (_, at) => `${family}-${`${Number(from) + at}`.padStart(2, "0")}`,
    );
  });
}

/** A test file without its comments: an id in a comment proves nothing. Names of table rows count, since they become titles. */
function titlesOf(file: string): string {
  return read(file)
    .split("\n")
    .filter((line) => !/^\s*(\/\/|\*|\/\*)/.test(line))
    .map((line) => line.replace(/\s\/\/ .*$/, ""))
    .join("\n")
    .replace(/\binterop (\d+)/g, "interop-$1");
}

const tableOf = (heading: string): Row[] =>
  rowsBelow(heading).map(([id = "", , sources, tests]) => ({ id, sources: paths(sources), tests: paths(tests) }));
const rules = tableOf("Rules");
const decisions = tableOf("Decisions");
const leftOut = rowsBelow("Not implemented").flatMap(([ids = ""]) => expand(ids));
const chosen = rowsBelow("Choices").map(([id = "", , , where]): Row => ({ id, sources: paths(where), tests: [] }));

const code = ["packages", "apps", "e2e", "examples"].flatMap(filesBelow);
const tests = code.filter((file) => /\.(test|spec)\.tsx?$/.test(file));
const known = new Set([...rules, ...decisions, ...chosen].map(({ id }) => id).concat(leftOut));

describe(MAP, () => {
  test("has its parts, and each rule once", () => {
    expect([rules, decisions, chosen].every(({ length }) => length > 10)).toBe(true);
    expect(leftOut).not.toEqual([]);
    const ids = [...rules.map(({ id }) => id), ...leftOut];
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  });

  test("says of every rule where it is enforced and where it is tested", () => {
    expect(rules.filter(({ sources, tests }) => sources.length === 0 || tests.length === 0).map(({ id }) => id)).toEqual([]);
  });

  test("lists only files that are there", () => {
    const gone = [...rules, ...decisions, ...chosen].flatMap(({ id, sources, tests }) =>
      [...sources, ...tests].filter((file) => !existsSync(join(ROOT, file))).map((file) => `${id}: ${file} is not there`),
    );
    expect(gone).toEqual([]);
  });

  test("lists tests that carry the rule's id in a name", () => {
    const titles = new Map(tests.map((file) => [file, titlesOf(file)]));
    const silent = rules.flatMap(({ id, tests: listed }) =>
      listed
        .filter((file) => !new RegExp(String.raw`(?<![\w-])${id}(?![\w-])`).test(titles.get(file) ?? ""))
        .map((file) => `${id}: no test in ${file} names it`),
    );
    expect(silent).toEqual([]);
  });

  test("skips no number of a family", () => {
    const gaps: string[] = [];
    for (const family of new Set([...known].filter((id) => /^[A-Z]{2}-\d\d$/.test(id)).map((id) => id.slice(0, 2)))) {
      if (GROWING.includes(family)) continue;
      const last = Math.max(...[...known].filter((id) => id.startsWith(`${family}-`)).map((id) => Number(id.slice(3))));
      for (let number = 1; number <= last; number++) {
        const id = `${family}-${`${number}`.padStart(2, "0")}`;
        if (!known.has(id)) gaps.push(`${id} is neither a rule, nor left out, nor a choice`);
      }
    }
    expect(gaps).toEqual([]);
  });
});

describe("ids that stand elsewhere", () => {
  const strangers = (files: string[], pattern: RegExp, textOf: (file: string) => string) =>
    files.flatMap((file) =>
      [...new Set(textOf(file).match(pattern) ?? [])].filter((id) => !known.has(id)).map((id) => `${file}: ${id} is not in ${MAP}`),
    );

  test("in the names of tests are in the map", () => {
    expect(strangers(tests, ANY_ID, titlesOf)).toEqual([]);
  });

  test("in the comments of the code are in the map", () => {
    const families = new Set([...known].map((id) => id.slice(0, 3)).filter((family) => !GROWING.includes(family.slice(0, 2))));
    const cited = strangers(code, CITED_ID, read).filter((line) => families.has(/: ([A-Z]{2}-)/.exec(line)?.[1] ?? ""));
    expect(cited).toEqual([]);
  });
});
