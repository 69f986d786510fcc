import type { Page } from "@playwright/test";

/** Resolves when no script has been busy and nothing has been loaded for so long. */
export async function untilQuiet(page: Page, ms: number): Promise<void> {
  await page.evaluate(`new Promise((quiet) => {
    let timer = setTimeout(quiet, ${ms});
    const again = () => { clearTimeout(timer); timer = setTimeout(quiet, ${ms}); };
    new PerformanceObserver(again).observe({ entryTypes: ["resource", "longtask", "layout-shift"] });
  })`);
}
