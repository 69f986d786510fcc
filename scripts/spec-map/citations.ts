import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");
const FOLDERS = ["packages", "apps", "e2e", "examples", "scripts", "bench"];
const SKIPPED = new Set(["node_modules", ".next", ".dev", "dist", "public", "test-results", ".products"]);
const TEST = /\.(test|spec)\.tsx?$/;
const COMMENT_LINE = /^\s*(\/\/|\*|\/\*)/;

const ID = /(?<![\w-])(?:[A-Z]{2}-\d{2,3}|N\d{2}|interop-\d+)(?![\w-])/g;
/** Parts of tests. What products test with is code. */
const FOR_TESTS = /^(?!packages\/sdk\/src\/).*\/testing\/|^(?:e2e|bench)\//;

/** Two ids of a family with `…` between them, of which the second can be a number alone. */
const RANGE = /\b([A-Z]{2})-(\d{2}) ?… ?(?:[A-Z]{2}-)?(\d{2})\b/g;

/**
 * A file that can cite rules, and the part of its text where an id counts: the titles of a test file, the comments of
 * any other file.
 */
export type Source = { file: string; isTest: boolean; text: string };

/** Every TypeScript and JavaScript file, in the order of the paths. */
export function readSources(): Source[] {
  return FOLDERS.flatMap(filesBelow)
    .toSorted()
    .map((file) => {
      const text = readFileSync(join(ROOT, file), "utf8");
      return { file, isTest: TEST.test(file), text: TEST.test(file) ? titlesIn(text) : commentsIn(text) };
    });
}

/** The ids in a text, those within a range too. */
export function idsIn(text: string): string[] {
  const ranges = [...text.matchAll(RANGE)].flatMap(([, family, first, last]) =>
    Array.from(
      { length: Number(last) - Number(first) + 1 },
      (_, at) => `${family}-${`${Number(first) + at}`.padStart(2, "0")}`,
    ),
  );
  return [...new Set([...(text.match(ID) ?? []), ...ranges])];
}

/** The files that cite each id: tests in their titles, code in its comments. Fixtures of tests count as neither. */
export function citationsIn(sources: readonly Source[]): Map<string, { code: string[]; tests: string[] }> {
  const cited = new Map<string, { code: string[]; tests: string[] }>();
  for (const { file, isTest, text } of sources) {
    if (!isTest && FOR_TESTS.test(file)) continue;
    for (const id of idsIn(text)) {
      const of = cited.get(id) ?? { code: [], tests: [] };
      of[isTest ? "tests" : "code"].push(file);
      cited.set(id, of);
    }
  }
  return cited;
}

function filesBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : filesBelow(file);
    return /\.(tsx?|mjs)$/.test(entry.name) ? [file] : [];
  });
}

/** Without comments, in which an id proves nothing. The names of table rows count, since they become titles. */
function titlesIn(text: string): string {
  return text
    .split("\n")
    .filter((line) => !COMMENT_LINE.test(line))
    .map((line) => line.replace(/\s\/\/ .*$/, ""))
    .join("\n")
    .replace(/\binterop (\d+)/g, "interop-$1");
}

function commentsIn(text: string): string {
  return text
    .split("\n")
    .flatMap((line) => (COMMENT_LINE.test(line) ? [line] : (line.match(/\/\/ .*$|\/\*.*\*\//) ?? [])))
    .join("\n");
}
