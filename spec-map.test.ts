import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { citationsIn, idsIn, readSources } from "./scripts/spec-map/citations.ts";
import { isCitedByCode, rowsIn, rulesIn, SPEC_PAGES, testsOf } from "./scripts/spec-map/pages.ts";

// docs/spec has a page of rules for each specification. Code and tests cite the ids of the rules; this file holds the
// three to each other. A failure names the id to fix. That the generated columns are up to date is checked by
// scripts/generate.test.ts.

const MAP = "docs/spec-map.md";
/** Rules of these families that are not built stay out of the pages, so numbers are missing. */
const WITH_GAPS = ["OP", "PK"];
/** Rules about tests and measurements. */
const ABOUT_TESTS = ["CO-97", "CO-98", "PK-64", "PK-66", "PK-67", "PK-69"];

const read = (file: string) => readFileSync(join(import.meta.dirname, file), "utf8");
const tracked = (...patterns: string[]) =>
  execFileSync("git", ["ls-files", ...patterns], { cwd: import.meta.dirname, encoding: "utf8" })
    .split("\n")
    .filter(Boolean);
const rules = SPEC_PAGES.flatMap((page) => rulesIn(read(page)));
const kept = rules.filter(({ state }) => !state.startsWith("left out"));
const choices = rowsIn(read(MAP).split(/^## Choices$/m)[1] ?? "").map(([id = "", rule = ""]) => ({ id, rule }));
const known = new Set([...rules, ...choices].map(({ id }) => id));
const sources = readSources();
const cited = citationsIn(sources);

describe("the pages of docs/spec", () => {
  test("have every rule once, with a state", () => {
    expect([rules.length > 550, choices.length > 20]).toEqual([true, true]);
    const ids = [...rules, ...choices].map(({ id }) => id).filter(Boolean);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
    expect(rules.filter(({ state }) => !/^(met|(partly|left out): .+)$/.test(state)).map(({ id }) => id)).toEqual([]);
  });

  test("have a test for every rule: none is met without one", () => {
    expect(kept.filter((rule) => testsOf(rule, sources, cited).length === 0).map(({ id }) => id)).toEqual([]);
  });

  test("have code for every rule: the comment at the check cites it", () => {
    const enforced = kept.filter(({ id, family }) => isCitedByCode(family) && !ABOUT_TESTS.includes(id));
    expect(enforced.filter(({ id }) => !cited.get(id)?.code.length).map(({ id }) => id)).toEqual([]);
  });

  test("say which rule a choice belongs to", () => {
    const ids = new Set(rules.map(({ id }) => id));
    expect(choices.filter(({ rule }) => !ids.has(rule))).toEqual([]);
  });

  test("skip no number of a family", () => {
    const numbered = [...known].filter((id) => /^[A-Z]{2}-\d\d$/.test(id) && !WITH_GAPS.includes(id.slice(0, 2)));
    const gaps = numbered.flatMap((id) => {
      const before = `${id.slice(0, 3)}${`${Number(id.slice(3)) - 1}`.padStart(2, "0")}`;
      return before.endsWith("-00") || known.has(before) ? [] : [before];
    });
    expect(gaps).toEqual([]);
  });
});

describe("every id is a rule's", () => {
  const unknownIn = (file: string, text: string) =>
    idsIn(text)
      .filter((id) => !known.has(id))
      .map((id) => `${file}: ${id}`);

  test("in comments of code and names of tests", () => {
    expect(sources.flatMap(({ file, text }) => unknownIn(file, text))).toEqual([]);
  });

  test("in documentation, styles, SQL and settings", () => {
    const files = tracked("*.md", "*.css", "*.sql", "*.yml", "*.jsonc");
    expect(files.length).toBeGreaterThan(50);
    expect(files.flatMap((file) => unknownIn(file, read(file)))).toEqual([]);
  });
});

describe("every section", () => {
  /**
   * `RFC 6749 §5.2`, `WebAuthn L3 §7.2`, and the second of `RFC 9126 §2.1, §2.3`: after the name of its document, or
   * after such a section.
   */
  const NAMED = /(?:[A-Z][\w-]*(?: (?:[A-Z][\w-]*|\d[\w.-]*))+|”) (?:\xa7[\d.]+(?: \(\d+\))?(?:, | and |–))*\xa7/g;

  test("names its document", () => {
    const bare = tracked("*.ts", "*.mts", "*.tsx", "*.mjs", "*.css", "*.sql", "*.md")
      .filter((file) => file !== "spec-map.test.ts")
      .flatMap((file) => {
        const text = read(file)
          .replaceAll(/\n\s*(?:\/\/|\*)\s?/g, " ")
          .replaceAll(NAMED, "");
        return [...text.matchAll(/\xa7/g)].map(
          ({ index }) => `${file}: ${text.slice(Math.max(0, index - 40), index + 10)}`,
        );
      });
    expect(bare).toEqual([]);
  });
});
