import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page, Request } from "@playwright/test";
import { consoleRoutes, tabsOf } from "../harness/console-routes.ts";
import { ROOT } from "../harness/gatehouse.ts";
import { untilQuiet } from "../harness/quiet.ts";
import { adminUrl, expect, issuer, openConsole, test } from "./stage.ts";

/**
 * What a page may load: kB as sent, and requests for data. `charts`: the chart library, which comes after the first
 * paint.
 */
const BUDGETS = { script: 320, charts: 150, style: 45, font: 50, html: 60, shift: 0.02, requests: 3 } as const;
type Figures = Record<keyof typeof BUDGETS, number>;

const QUIET_MS = 100;

test("CO-99 no page of the console loads more than its budget, or moves once it is shown", async ({ page }) => {
  test.setTimeout(900_000); // fifty pages, on the slowest machine
  await openConsole(page, "admin", "/search");
  const routes = await consoleRoutes(page, { issuer, adminUrl });
  const problems: string[] = [];
  for (let one = routes.shift(); one; one = routes.shift()) {
    let figures = await view(page, adminUrl + one.path);
    // A row that another test adds moves a list once. A page that moves by itself does so each time.
    for (let again = 0; again < 2 && figures.shift > BUDGETS.shift; again++)
      figures = await view(page, adminUrl + one.path);
    for (const name of Object.keys(BUDGETS) as (keyof Figures)[])
      if (!(figures[name] <= BUDGETS[name]))
        problems.push(`${one.route}: ${name} is ${figures[name]}, the budget is ${BUDGETS[name]}`);
    if (!one.route.includes("?tab=")) routes.unshift(...(await tabsOf(page, one)));
  }
  expect(problems).toEqual([]);
});

async function view(page: Page, url: string): Promise<Figures> {
  let requests = 0;
  const count = (request: Request) => {
    if (new URL(request.url()).pathname.startsWith("/api/trpc/")) requests++;
  };
  page.on("request", count);
  await page.goto(url);
  await untilQuiet(page, QUIET_MS);
  page.off("request", count);
  const { loaded, html, shift } = await page.evaluate<Loaded>(LOADED);
  const sum = (matches: (path: string) => boolean) =>
    loaded.filter(({ path }) => matches(path)).reduce((bytes, one) => bytes + one.bytes, 0) / 1024;
  return {
    script: sum((path) => path.endsWith(".js") && !hasCharts(path)),
    charts: sum((path) => path.endsWith(".js") && hasCharts(path)),
    style: sum((path) => path.endsWith(".css")),
    font: sum((path) => /\.woff2?$/.test(path)),
    html: html / 1024,
    shift,
    requests,
  };
}

type Loaded = { loaded: { path: string; bytes: number }[]; html: number; shift: number };

const LOADED = `new Promise((done) => {
  let shift = 0;
  new PerformanceObserver((list) => { for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) shift += value; })
    .observe({ type: "layout-shift", buffered: true });
  setTimeout(() => done({
    loaded: performance.getEntriesByType("resource").map(({ name, encodedBodySize }) => ({ path: new URL(name).pathname, bytes: encodedBodySize })),
    html: performance.getEntriesByType("navigation")[0].encodedBodySize,
    shift,
  }), 50);
})`;

const known = new Map<string, boolean>();

function hasCharts(path: string): boolean {
  const found =
    known.get(path) ??
    readFileSync(join(ROOT, "apps/admin/.next", path.replace(/^\/_next\//, "")), "utf8").includes("recharts-");
  known.set(path, found);
  return found;
}
