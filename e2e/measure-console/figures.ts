import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "../harness/gatehouse.ts";

const FILE = join(ROOT, "e2e/console-figures.json");

/** Of one page: sizes in kB as sent, times in ms. */
export type PageFigures = Record<keyof typeof PAGE_BUDGETS, number>;
/** Of one procedure, in ms. */
export type Times = { median: number; p95: number };

/** What `npm run measure:console -- --write` keeps of a release. */
export type Figures = {
  /** How often each page was viewed, and the journey made. */
  views: number;
  journeys: number;
  /** By route. */
  pages: Record<string, PageFigures>;
  /** The slowest reaction of the journey, in ms. */
  inp: number;
  /** The console's process under the measurements, in MB. */
  rss: number;
  /** By engine and name. */
  procedures: Record<string, Record<string, Times>>;
};

export const PAGE_BUDGETS = { script: 320, charts: 150, style: 45, font: 50, html: 60, requests: 3, lcp: 1_800, cls: 0.02 } as const;
export const BUDGETS = { inp: 150, rss: 250, procedure: 100 } as const;
/** More script than this above the last release has to be explained by `--write`, in kB. */
const SCRIPT_GROWTH = 5;

export const HEADS: Record<keyof PageFigures, string> = {
  ...{ script: "JS, kB", charts: "charts, kB", style: "CSS, kB", font: "fonts, kB", html: "HTML, kB" },
  ...{ requests: "data requests", lcp: "LCP p75, ms", cls: "CLS p75" },
};
export const NAMES = Object.keys(PAGE_BUDGETS) as (keyof PageFigures)[];

export const p75 = (values: readonly number[]) => values.toSorted((one, other) => one - other)[Math.ceil(values.length * 0.75) - 1] ?? 0;

/** The figures of the last release; undefined before the first. */
export async function lastFigures(): Promise<Figures | undefined> {
  return JSON.parse(await readFile(FILE, "utf8").catch(() => "null")) ?? undefined;
}

export async function writeFigures(figures: Figures): Promise<void> {
  const rounded = JSON.stringify(figures, (_, value) => (typeof value === "number" ? Number(value.toFixed(value < 1 ? 3 : 1)) : value), 2);
  await writeFile(FILE, `${rounded}\n`);
}

/** What is beyond its budget, or has grown without an explanation. */
export function problemsOf(figures: Figures, before: Figures | undefined): string[] {
  const pages = Object.entries(figures.pages).flatMap(([route, page]) => [
    ...NAMES.filter((name) => page[name] > PAGE_BUDGETS[name]).map((name) =>
      beyond(`${route}: ${HEADS[name]}`, page[name], PAGE_BUDGETS[name]),
    ),
    ...growthOf(route, page.script, before?.pages[route]?.script),
  ]);
  const procedures = Object.entries(figures.procedures).flatMap(([engine, times]) =>
    Object.entries(times)
      .filter(([, { p95 }]) => !(p95 <= BUDGETS.procedure))
      .map(([name, { p95 }]) => beyond(`${name} on ${engine}, p95 in ms`, p95, BUDGETS.procedure)),
  );
  return [
    ...pages,
    ...(figures.inp > BUDGETS.inp ? [beyond("INP p75, ms", figures.inp, BUDGETS.inp)] : []),
    ...(figures.rss > BUDGETS.rss ? [beyond("RSS of the console, MB", figures.rss, BUDGETS.rss)] : []),
    ...procedures,
  ];
}

export function growthOf(route: string, script: number, before: number | undefined): string[] {
  const growth = before === undefined ? 0 : script - before;
  return growth > SCRIPT_GROWTH ? [`${route}: ${growth.toFixed(1)} kB more JavaScript than in the last release`] : [];
}

const beyond = (what: string, value: number, budget: number) => `${what} is ${value.toFixed(budget < 1 ? 3 : 1)}, the budget is ${budget}`;
