import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

// docs/spec-map.md lists every rule by its id. Code and tests name the ids, so `git grep -n AZ-19` leads from the map to both, and this file
// holds the three to each other. A failure names the id to fix.

const MAP = "docs/spec-map.md";
const SKIPPED = new Set(["node_modules", ".next", "dist", "migrations", "public", "test-results"]);

const ID = /(?<![\w-])(?:[A-Z]{2}-\d{2}|N\d{2}|interop-\d+)(?![\w-])/g;
/** What comments may cite; a bare N01 could be anything there. */
const CITED_ID = /\b[A-Z]{2}-\d{2}\b/g;
/** `AZ-06 … AZ-09`, `TK-01…TK-10` and `PW-01…04`. */
const RANGE = /\b([A-Z]{2})-(\d{2}) ?… ?(?:[A-Z]{2}-)?(\d{2})\b/g;

/** The map has only some rules of these families. Tests may name the others. */
const GROWING = ["OP"];
/** Rules about tests, and families of tests: what these try is enforced by rules of other families, which the code cites. */
const TESTS_ONLY = ["N", "interop", "Webhooks", "CO-97", "CO-98"];

type Rule = { id: string; family: string; state: string };
type Text = { file: string; text: string };

const map = readFileSync(join(import.meta.dirname, MAP), "utf8");
const files = ["packages", "apps", "e2e", "examples"].flatMap(filesBelow);
const tests = files.filter(({ file }) => /\.(test|spec)\.tsx?$/.test(file)).map(({ file, text }) => ({ file, text: titlesIn(text) }));
const sources = files.filter(({ file }) => !/\.(test|spec)\.tsx?$|\/testing\/|^e2e\//.test(file));

const rules = sectionOf("Rules")
  .split(/^### /m)
  .slice(1)
  .flatMap((family) => rowsOf(family).map(([id = "", , state = ""]): Rule => ({ id, family: family.split(":")[0] ?? "", state })));
const choices = rowsOf(sectionOf("Choices")).map(([id = "", rule = ""]) => ({ id, rule }));
const known = new Set([...rules, ...choices].map(({ id }) => id));
const kept = rules.filter(({ state }) => !state.startsWith("left out"));

/** The files of a folder with their text, each read once. */
function filesBelow(folder: string): Text[] {
  return readdirSync(join(import.meta.dirname, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : filesBelow(file);
    return /\.(tsx?|mjs)$/.test(entry.name) ? [{ file, text: readFileSync(join(import.meta.dirname, file), "utf8") }] : [];
  });
}

function sectionOf(heading: string): string {
  return map.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? "";
}

/** The cells of every table row. */
function rowsOf(section: string): string[][] {
  return [...section.matchAll(/^\| (?!id |-)(.*) \|$/gm)].map(([, row = ""]) => row.split("|").map((cell) => cell.trim()));
}

/** A test file without its comments: an id in a comment proves nothing. Names of table rows count, since they become titles. */
function titlesIn(text: string): string {
  return text
    .split("\n")
    .filter((line) => !/^\s*(\/\/|\*|\/\*)/.test(line))
    .map((line) => line.replace(/\s\/\/ .*$/, ""))
    .join("\n")
    .replace(/\binterop (\d+)/g, "interop-$1");
}

function idsIn({ text }: Text): string[] {
  const ranges = [...text.matchAll(RANGE)].flatMap(([, family, first, last]) =>
    Array.from({ length: Number(last) - Number(first) + 1 }, (_, at) => `${family}-${`${Number(first) + at}`.padStart(2, "0")}`),
  );
  return [...(text.match(ID) ?? []), ...ranges];
}

describe(MAP, () => {
  test("has its rules and choices, each once and with a state", () => {
    expect([rules.length > 550, choices.length > 20]).toEqual([true, true]);
    const ids = [...rules, ...choices].map(({ id }) => id).filter(Boolean);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
    expect(rules.filter(({ state }) => !/^(met|(partly|left out): .+)$/.test(state)).map(({ id }) => id)).toEqual([]);
  });

  test("names a test for every rule: none is met without one", () => {
    const named = new Set(tests.flatMap(idsIn));
    const webhooks = tests.filter(({ file }) => /webhook/.test(file)).map(({ text }) => text);
    const isNamed = ({ id, family }: Rule) =>
      family === "Webhooks" ? webhooks.some((text) => new RegExp(`\\b${id}\\b`).test(text)) : named.has(id);
    expect(kept.filter((rule) => !isNamed(rule)).map(({ id }) => id)).toEqual([]);
  });

  test("names code for every rule: the comment at the check cites it", () => {
    const cited = new Set(sources.flatMap(idsIn));
    const enforced = kept.filter(({ id, family }) => !TESTS_ONLY.includes(family) && !TESTS_ONLY.includes(id));
    expect(enforced.filter(({ id }) => !cited.has(id)).map(({ id }) => id)).toEqual([]);
  });

  test("says which rule a choice belongs to", () => {
    const ids = new Set(rules.map(({ id }) => id));
    expect(choices.filter(({ rule }) => !ids.has(rule))).toEqual([]);
  });

  test("skips no number of a family", () => {
    const numbered = [...known].filter((id) => /^[A-Z]{2}-\d\d$/.test(id) && !GROWING.includes(id.slice(0, 2)));
    const gaps = numbered.flatMap((id) => {
      const before = `${id.slice(0, 3)}${`${Number(id.slice(3)) - 1}`.padStart(2, "0")}`;
      return before.endsWith("-00") || known.has(before) ? [] : [before];
    });
    expect(gaps).toEqual([]);
  });
});

describe("ids that stand elsewhere", () => {
  const families = new Set([...known].filter((id) => !GROWING.includes(id.slice(0, 2))).map((id) => id.replace(/-?\d+$/, "")));
  const strangers = (texts: readonly Text[], pattern: RegExp) =>
    texts.flatMap(({ file, text }) =>
      [...new Set(text.match(pattern) ?? [])]
        .filter((id) => families.has(id.replace(/-?\d+$/, "")) && !known.has(id))
        .map((id) => `${file}: ${id} is not in ${MAP}`),
    );

  test("in the names of tests are in the map", () => {
    expect(strangers(tests, ID)).toEqual([]);
  });

  test("in the comments of the code are in the map", () => {
    expect(strangers(files, CITED_ID)).toEqual([]);
  });
});
