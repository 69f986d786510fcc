import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { ROOT } from "../harness/gatehouse.ts";

/** In kB as sent. `charts`: the chart library, which is loaded after the first paint and has a budget of its own. */
export type Scripts = { script: number; charts: number };

/** The scripts of the page that is open. */
export async function scriptsOf(page: Page): Promise<Scripts> {
  const loaded = await page.evaluate<{ path: string; bytes: number }[]>(LOADED);
  const kB = (charts: boolean) => loaded.filter(({ path }) => hasCharts(path) === charts).reduce((sum, { bytes }) => sum + bytes, 0) / 1024;
  return { script: kB(false), charts: kB(true) };
}

const LOADED = `performance.getEntriesByType("resource")
  .map(({ name, encodedBodySize }) => ({ path: new URL(name).pathname, bytes: encodedBodySize }))
  .filter(({ path }) => path.endsWith(".js"))`;

const known = new Map<string, boolean>();

function hasCharts(path: string): boolean {
  const file = join(ROOT, "apps/admin/.next", path.replace(/^\/_next\//, ""));
  const found = known.get(file) ?? readFileSync(file, "utf8").includes("recharts-");
  known.set(file, found);
  return found;
}

/** Resolves when no script has been busy and nothing has been loaded for so long. */
export async function untilQuiet(page: Page, ms: number): Promise<void> {
  await page.evaluate(`new Promise((quiet) => {
    let timer = setTimeout(quiet, ${ms});
    const again = () => { clearTimeout(timer); timer = setTimeout(quiet, ${ms}); };
    new PerformanceObserver(again).observe({ entryTypes: ["resource", "longtask", "layout-shift"] });
  })`);
}
