import { readdirSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { citationsIn, readSources, type Source } from "./citations.ts";

const FOLDER = "docs/spec";

/** The pages with the rules, one for each specification. */
export const SPEC_PAGES = readdirSync(join(import.meta.dirname, "../..", FOLDER)).map((name) => `${FOLDER}/${name}`);

/** Only tests cite these families. The code cites the rules of other families that enforce them. */
const TESTS_ONLY = ["N", "interop", "Webhooks"];

/** Files that many folders have. */
const EVERYWHERE = /^(?:route|page|index|main)\.tsx?$/;

export type Rule = { id: string; rule: string; state: string; family: string };

/** The rules of a page, in its order. */
export function rulesIn(page: string): Rule[] {
  return sectionsOf(page).flatMap(({ family, text }) =>
    rowsIn(text).map(([id = "", rule = "", state = ""]) => ({ id, rule, state, family })),
  );
}

/** The cells of every row of the tables in a text. */
export function rowsIn(text: string): string[][] {
  return [...text.matchAll(/^\| (?!id |-)(.*) \|$/gm)].map(([, row = ""]) => row.split("|").map((cell) => cell.trim()));
}

/** Whether code cites the rules of this family at its checks. */
export function isCitedByCode(family: string): boolean {
  return !TESTS_ONLY.includes(family);
}

/**
 * The test files whose titles name a rule. The rules of webhooks have words for ids, which mean something there alone.
 */
export function testsOf(
  { id, family }: Pick<Rule, "id" | "family">,
  sources: readonly Source[],
  cited = citationsIn(sources),
): string[] {
  if (family !== "Webhooks") return cited.get(id)?.tests ?? [];
  const named = new RegExp(`\\b${id}\\b`);
  return sources
    .filter(({ file, isTest, text }) => isTest && /webhook/.test(file) && named.test(text))
    .map(({ file }) => file);
}

let read: { sources: Source[]; cited: ReturnType<typeof citationsIn> } | undefined;

/**
 * The content of a page: id, rule and state as they are written, and which files cite the rule at a check and in the
 * name of a test.
 */
export function specPage(page: string): string {
  if (!read) {
    const sources = readSources();
    read = { sources, cited: citationsIn(sources) };
  }
  const { sources, cited } = read;
  return sectionsOf(page).reduce((content, { family, text }) => {
    const head = isCitedByCode(family) ? ["id", "rule", "state", "code", "tests"] : ["id", "rule", "state", "tests"];
    const rows = rowsIn(text).map(([id = "", rule = "", state = ""]) => {
      const code = isCitedByCode(family) ? [linksTo(cited.get(id)?.code ?? [])] : [];
      return [id, rule, state, ...code, linksTo(testsOf({ id, family }, sources, cited))];
    });
    const lines = [
      `| ${head.join(" | ")} |`,
      `|${"---|".repeat(head.length)}`,
      ...rows.map((cells) => `| ${cells.join(" | ")} |`),
    ];
    return content.replace(text, text.replace(/(?:^\|.*\n?)+/m, `${lines.join("\n")}\n`));
  }, page);
}

function sectionsOf(page: string): { family: string; text: string }[] {
  return page
    .split(/^(?=## )/m)
    .filter((text) => text.startsWith("## "))
    .map((text) => ({ family: text.slice("## ".length).split(":")[0] ?? "", text }));
}

function linksTo(files: readonly string[]): string {
  const names = files.map((file) => basename(file));
  return files
    .map((file, at) => {
      const name = basename(file);
      const isAmbiguous = EVERYWHERE.test(name) || names.indexOf(name) !== at || names.lastIndexOf(name) !== at;
      return `[${isAmbiguous ? `${basename(dirname(file))}/${name}` : name}](${urlOf(relative(FOLDER, file))})`;
    })
    .join(", ");
}

/** Folders of Next have brackets and parentheses in their names, which would end a link. */
function urlOf(path: string): string {
  return encodeURI(path).replaceAll("(", "%28").replaceAll(")", "%29");
}
