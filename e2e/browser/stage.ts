import { type BrowserContext, test as base, expect, type Page } from "@playwright/test";
import axe from "axe-core";
import { emailOf, PASSWORD } from "../harness/fixture.ts";

export { expect };

function fromEnvironment(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: the global setup has not run`);
  return value;
}

export const issuer = fromEnvironment("E2E_ISSUER");
export const adminUrl = fromEnvironment("E2E_ADMIN_URL");
/** Of the installation: whatever is run with it works on the same database. */
export const environment: Record<string, string> = JSON.parse(fromEnvironment("E2E_ENVIRONMENT"));

/** Every test fails when a page complains, breaks, or asks another host for anything. */
export const test = base.extend<{ watched: (context: BrowserContext) => void }>({
  watched: [
    async ({ context }, use) => {
      const problems: string[] = [];
      const watch = (watchedContext: BrowserContext) => listen(watchedContext, problems);
      watch(context);
      await use(watch);
      expect(problems).toEqual([]);
    },
    { auto: true },
  ],
});

function listen(context: BrowserContext, problems: string[]): void {
  context.on("weberror", (error) => problems.push(`page error: ${error.error().message}`));
  context.on("console", (message) => {
    // What failed to load is judged below, where a page that says 400 is no problem.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) problems.push(`console: ${message.text()}`);
  });
  context.on("request", (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (protocol.startsWith("http") && hostname !== "localhost") problems.push(`third party: ${request.url()}`);
  });
  context.on("response", (response) => {
    const page = response.request().resourceType() === "document";
    if (response.status() >= (page ? 500 : 400)) problems.push(`${response.status()}: ${response.url()}`);
  });
}

/** Fills in the sign-in page that the browser is at. */
export async function fillSignIn(page: Page, name: string): Promise<void> {
  await page.getByLabel("Email").fill(emailOf(name));
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** Opens the console as somebody of the fixture. */
export async function openConsole(page: Page, name: string, path = "/"): Promise<void> {
  await page.goto(adminUrl + path);
  await expect(page).toHaveURL((url) => url.href.startsWith(`${issuer}/sign-in`));
  await fillSignIn(page, name);
  await expect(page.getByRole("link", { name: "Applications", exact: true })).toBeVisible();
  await expect.poll(() => page.evaluate(ALIVE)).toBe(true);
}

/** React has taken the page over: a button pressed before that does nothing. */
const ALIVE = `[...document.querySelectorAll("button")].every((one) => Object.keys(one).some((key) => key.startsWith("__react")))`;

/** Two frames for scripts to follow a change of scheme, then the end of every transition that ends. */
const SETTLED = `new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next))).then(() =>
  Promise.allSettled(document.getAnimations().filter((one) => one.effect.getComputedTiming().iterations !== Infinity).map((one) => one.finished))
).then(() => undefined)`;

/** Fails with what axe-core finds on the page as it stands, in light and in dark, and when a phone would have to scroll sideways. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.evaluate(SETTLED);
    // Evaluated by the debugger, so the page's own policy needs no hole for it.
    await page.evaluate(axe.source);
    const { violations } = await page.evaluate<axe.AxeResults>("axe.run()");
    const found = violations.map(({ id, nodes }) => `${colorScheme}: ${id}: ${nodes.map((node) => node.html).join(" | ")}`);
    expect(found, page.url()).toEqual([]);
  }
  const size = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.evaluate(SETTLED);
  expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth"), `${page.url()} at 390px`).toBeLessThanOrEqual(0);
  if (size !== null) await page.setViewportSize(size);
}
