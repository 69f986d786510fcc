import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CORE_POLICIES } from "./policy-table.ts";

// docs/threat-model.md has a row for each route: its threats by STRIDE, and the rules that stop them.

const ROOT = join(import.meta.dirname, "../../../..");
const DOCS = join(ROOT, "docs");
const model = readFileSync(join(DOCS, "threat-model.md"), "utf8");
const RULES = new Set(
  readdirSync(join(DOCS, "spec")).flatMap((page) =>
    [...readFileSync(join(DOCS, "spec", page), "utf8").matchAll(/^\| ([\w-]+) \|/gm)].map(([, id]) => id),
  ),
);

type Row = { route: string; threats: string; rules: string[] };

/** The rows of the table of routes below a heading. */
function rowsBelow(heading: string): Row[] {
  const [, section = ""] = model.split(`\n## ${heading}\n`);
  const [own = ""] = section.split("\n## ");
  return [...own.matchAll(/^\| `(\/[^`]*)` \| (.+) \| (.+) \|$/gm)].map(([, route = "", threats = "", rules = ""]) => ({
    route,
    threats,
    rules: rules.split(", "),
  }));
}

/** The routes of the console, as the folders of its pages and handlers name them. */
const consoleRoutes = () =>
  readdirSync(join(ROOT, "apps/admin/src/app"), { recursive: true, encoding: "utf8" })
    .filter((file) => /(^|\/)(page\.tsx|route\.ts)$/.test(file))
    .map((file) => `/${file.replace(/\(console\)\//, "").replace(/\/?(page\.tsx|route\.ts)$/, "")}`);

describe.each([
  ["The server", () => Object.keys(CORE_POLICIES)],
  ["The console", consoleRoutes],
])("the threat model of %s", (heading, routesOf) => {
  const rows = rowsBelow(heading);

  test("OP-99 has a row for each route, and for no other", () => {
    expect(rows.map(({ route }) => route).toSorted()).toEqual(routesOf().toSorted());
  });

  test("OP-99 names threats by STRIDE, and rules that exist", () => {
    expect(RULES.size).toBeGreaterThan(500);
    for (const { route, threats, rules } of rows) {
      expect([route, threats]).toEqual([route, expect.stringMatching(/\*\*[STRIDE]\*\* \S/)]);
      expect([route, rules.filter((id) => !RULES.has(id))]).toEqual([route, []]);
    }
  });
});
