import { setTimeout as pause } from "node:timers/promises";
import type { Locator, Page } from "@playwright/test";
import { expectAlive } from "../harness/alive.ts";
import { p75 } from "./figures.ts";
import { untilQuiet } from "./scripts.ts";
import { QUIET_MS, throttled } from "./view.ts";

/**
 * Interaction to next paint of a short journey: the slowest reaction to a press or key, and the 75th percentile of that over `runs`. It begins
 * when the first page has come to rest and is hydrated; a press before that waits for it.
 */
export function measureJourney(page: Page, adminUrl: string, client: string, runs: number): Promise<number> {
  return throttled(page, async () => {
    const slowest: number[] = [];
    for (let run = 0; run < runs; run++) {
      await page.goto(`${adminUrl}/applications`, { waitUntil: "load" });
      await untilQuiet(page, QUIET_MS);
      await expectAlive(page);
      await page.evaluate(OBSERVE);
      await walk(page, client);
      slowest.push(await page.evaluate<number>("Math.max(0, ...window.reactions)"));
    }
    return p75(slowest);
  });
}

const OBSERVE = `(() => {
  window.reactions = [];
  new PerformanceObserver((list) => { for (const { interactionId, duration } of list.getEntries()) if (interactionId) window.reactions.push(duration); })
    .observe({ type: "event", durationThreshold: 16, buffered: false });
})()`;

/** A menu, a filter that is typed, a page, a tab, a field and a dialog. */
async function walk(page: Page, client: string): Promise<void> {
  await press(page.getByRole("button", { name: /^Account menu/ }));
  await page.getByRole("menuitem", { name: "Sign out" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByLabel("Search applications").pressSequentially(client, { delay: 80 });
  const table = page.getByRole("table");
  await table.getByRole("row").nth(2).waitFor({ state: "detached" }); // the head and the application
  await press(table.getByRole("link").first());
  await page.getByTestId("client-id").waitFor();
  const sections = page.getByRole("navigation", { name: "Sections" });
  await press(sections.getByRole("link", { name: "Secrets" }));
  await press(page.getByRole("button", { name: "Add secret" }));
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  await press(sections.getByRole("link", { name: "Settings" }));
  await press(page.getByRole("checkbox", { name: "email", exact: true }));
  await press(page.getByRole("button", { name: "Discard changes", exact: true }));
}

/** Nobody presses what has just appeared sooner. */
const SEEING_MS = 250;

async function press(control: Locator): Promise<void> {
  await control.waitFor();
  await pause(SEEING_MS);
  await control.click();
}
