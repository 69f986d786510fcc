import { type ConsoleRoute, consoleRoutes, tabsOf } from "../harness/console-routes.ts";
import { type Figures, growthOf, lastFigures, PAGE_BUDGETS } from "../measure-console/figures.ts";
import { scriptsOf, untilQuiet } from "../measure-console/scripts.ts";
import { adminUrl, expect, full, issuer, openConsole, test } from "./stage.ts";

const QUIET_MS = 100;
/** How many of the pages are loaded unless all are. */
const SAMPLE = 5;

const heaviest = (routes: readonly ConsoleRoute[], before: Figures | undefined): ConsoleRoute[] => {
  const size = ({ route }: ConsoleRoute) => before?.pages[route]?.script ?? Number.POSITIVE_INFINITY;
  return routes.toSorted((one, other) => size(other) - size(one)).slice(0, SAMPLE);
};

test("CO-99 no page of the console loads more JavaScript than its budget, or 5 kB more than in the last release", async ({ page }) => {
  await openConsole(page, "admin", "/search");
  const before = await lastFigures();
  const all = await consoleRoutes(page, { issuer, adminUrl });
  const routes = full ? all : heaviest(all, before);
  const problems: string[] = [];
  for (let one = routes.shift(); one; one = routes.shift()) {
    await page.goto(adminUrl + one.path);
    await untilQuiet(page, QUIET_MS);
    const { script, charts } = await scriptsOf(page);
    if (script > PAGE_BUDGETS.script) problems.push(`${one.route}: ${script.toFixed(1)} kB`);
    if (charts > PAGE_BUDGETS.charts) problems.push(`${one.route}: ${charts.toFixed(1)} kB of charts`);
    problems.push(...growthOf(one.route, script, before?.pages[one.route]?.script));
    if (full && !one.route.includes("?tab=")) routes.unshift(...(await tabsOf(page, one)));
  }
  // Explain growth in the commit that makes it, with `npm run measure:console -- --write`.
  expect(problems).toEqual([]);
});
