import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "../harness/gatehouse.ts";
import { BUDGETS, type Figures, HEADS, NAMES, PAGE_BUDGETS, type PageFigures, type Times } from "./figures.ts";

const DOCUMENT = join(ROOT, "docs/performance.md");
const [START, END] = ["<!-- measure:console -->", "<!-- /measure:console -->"];

/** The tables, with the figures of the last release in brackets where they differ. */
export function tablesOf(figures: Figures, before: Figures | undefined): string {
  const engines = Object.keys(figures.procedures);
  const procedures = Object.keys(figures.procedures[engines[0] ?? ""] ?? {});
  const tables = [
    table(
      ["page", ...NAMES.map((name) => `${HEADS[name]} ≤ ${PAGE_BUDGETS[name]}`)],
      Object.entries(figures.pages).map(([route, page]) => [
        `\`${route}\``,
        ...NAMES.map((name) => compared(shown(name, page[name]), before?.pages[route] && shown(name, before.pages[route][name]))),
      ]),
    ),
    table(
      ["the whole console", "measured"],
      [
        [`INP p75 of a journey, ms ≤ ${BUDGETS.inp}`, compared(whole(figures.inp), before && whole(before.inp))],
        [`memory of its process, MB ≤ ${BUDGETS.rss}`, compared(whole(figures.rss), before && whole(before.rss))],
      ],
    ),
  ];
  if (procedures.length > 0)
    tables.push(
      table(
        [`p50 · p95 in ms, p95 ≤ ${BUDGETS.procedure}`, ...engines],
        procedures.map((name) => [
          name,
          ...engines.map((engine) => compared(times(figures.procedures[engine]?.[name]), times(before?.procedures[engine]?.[name]))),
        ]),
      ),
    );
  return tables.join("\n\n");
}

/** Writes the section of docs/performance.md. */
export async function writeReport(tables: string, { views, journeys }: Figures, date: string): Promise<void> {
  const text = await readFile(DOCUMENT, "utf8");
  const [start, end] = [text.indexOf(START), text.indexOf(END)];
  if (start < 0 || end < start) throw new Error(`docs/performance.md has no ${START} … ${END}`);
  const section = `${START}
Written by \`npm run measure:console -- --write\` on ${date}: ${views} views of each page with an empty cache and ${journeys} journeys, on Fast 4G and a
processor slowed down four times, and each procedure called 100 times by ten callers at once, each of whom makes ten calls a second, with a
million users, grants and deliveries and 10,000 applications. Sizes are as sent.

${tables}
`;
  await writeFile(DOCUMENT, `${text.slice(0, start)}${section}${text.slice(end)}`);
}

const shown = (name: keyof PageFigures, value: number) => value.toFixed(name === "cls" ? 3 : 0);
const whole = (value: number) => value.toFixed(0);
const times = (measured: Times | undefined) => measured && `${measured.median.toFixed(1)} · ${measured.p95.toFixed(1)}`;

const compared = (now: string | undefined, then: string | undefined) =>
  then === undefined || then === now ? (now ?? "") : `${now} (${then})`;

const table = (head: string[], rows: string[][]) =>
  [head, head.map((_, index) => (index === 0 ? "---" : "--:")), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
