import type { Page } from "@playwright/test";
import { consoleRoutes, routeNames, tabsOf } from "../harness/console-routes.ts";
import { untilQuiet } from "../harness/quiet.ts";
import { adminUrl, expect, expectAccessible, full, issuer, openConsole, test } from "./stage.ts";

// The folders of apps/admin name the pages, so none can be left out. Dialogs and what follows an action are in the
// stories of each page.

const QUIET_MS = 100;
/** Beside every page. `npm run test:full` examines it on each of them. */
const SIDEBAR = "nav[aria-label=Main]";
/** The pages without the console's frame. A new one adds a line here. */
const BARE = ["/sign-in-problem", "/signed-in", "/signed-out", "/try/callback"];

/** Every other page: two tests, for two workers. test:full adds the tabs of each, and the other theme. */
for (const half of [0, 1] as const) {
  test(`CO-98 every page of the console, in light and dark and in narrow windows, half ${half + 1}`, async ({
    page,
  }) => {
    test.setTimeout(900_000); // fifty pages in both halves, on the slowest machine
    await openConsole(page, "admin", "/search");
    const routes = (await consoleRoutes(page, { issuer, adminUrl })).filter((_, at) => at % 2 === half);
    for (let at = 0, one = routes.shift(); one; one = routes.shift(), at++) {
      await open(page, one.path);
      await untilQuiet(page, QUIET_MS);
      await expect(page.getByRole("heading", { level: 1 }), one.route).toHaveCount(1);
      await expectAccessible(page, at === 0 ? { half } : { half, examined: SIDEBAR });
      if (full && !one.route.includes("?tab=")) routes.unshift(...(await tabsOf(page, one)));
    }
  });
}

test("CO-98 the pages without the console's frame, in light and dark and in narrow windows", async ({ page }) => {
  expect((await routeNames()).bare).toEqual(BARE);
  for (const path of BARE) {
    await page.goto(adminUrl + path);
    await expectAccessible(page);
  }
});

/**
 * Opens a page as a link in the console does, without loading the scripts again. `npm run test:full` loads each page.
 */
async function open(page: Page, path: string): Promise<void> {
  const before = page.url();
  if (full) return void (await page.goto(adminUrl + path));
  if (before === adminUrl + path) return;
  await page.evaluate(`window.next.router.push(${JSON.stringify(path)})`);
  await page.waitForURL((url) => url.href !== before);
}
