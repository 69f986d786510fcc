import { consoleRoutes, tabsOf } from "../harness/console-routes.ts";
import { growthOf, lastFigures, PAGE_BUDGETS } from "../measure-console/figures.ts";
import { scriptsOf, untilQuiet } from "../measure-console/scripts.ts";
import { adminUrl, environment, expect, issuer, openConsole, test } from "./stage.ts";

const QUIET_MS = 100;

test("CO-99 no page of the console loads more JavaScript than its budget, or 5 kB more than in the last release", async ({ page }) => {
  await openConsole(page, "admin", "/search");
  const before = await lastFigures();
  const routes = await consoleRoutes(page, { issuer, adminUrl, env: environment });
  const problems: string[] = [];
  for (let one = routes.shift(); one; one = routes.shift()) {
    await page.goto(adminUrl + one.path);
    await untilQuiet(page, QUIET_MS);
    const { script, charts } = await scriptsOf(page);
    if (script > PAGE_BUDGETS.script) problems.push(`${one.route}: ${script.toFixed(1)} kB`);
    if (charts > PAGE_BUDGETS.charts) problems.push(`${one.route}: ${charts.toFixed(1)} kB of charts`);
    problems.push(...growthOf(one.route, script, before?.pages[one.route]?.script));
    if (!one.route.includes("?tab=")) routes.unshift(...(await tabsOf(page, one)));
  }
  // Explain growth in the commit that makes it, with `npm run measure:console -- --write`.
  expect(problems).toEqual([]);
});
