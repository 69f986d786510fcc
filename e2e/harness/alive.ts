import { expect, type Page } from "@playwright/test";

/** Waits until React has hydrated the page. Before that, its buttons do nothing. */
export async function expectAlive(page: Page): Promise<void> {
  // Evaluating fails while the page navigates on.
  await expect.poll(() => page.evaluate(ALIVE).catch(() => false), { intervals: POLL_MS }).toBe(true);
}

/** How often a page is asked: the default intervals grow to a second, on every page of every test. */
export const POLL_MS = [25];
/** Looks again in the page: a call of the browser for each look costs more than the look. */
const ALIVE = `new Promise((alive) => {
  const look = () => {
    const hydrated = [...document.querySelectorAll("button")].every((one) => Object.keys(one).some((key) => key.startsWith("__react")));
    if (hydrated) alive(true);
    else setTimeout(look, ${POLL_MS[0]});
  };
  look();
})`;
