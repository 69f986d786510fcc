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
/** The environment of the running installation. Commands run with it use the same database. */
export const environment: Record<string, string> = JSON.parse(fromEnvironment("E2E_ENVIRONMENT"));

/** Fails a test when a page logs an error, throws, gets an error response, or sends a request to another host. */
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
    // Failed loads are checked below, where a page may answer 4xx.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) problems.push(`console: ${message.text()}`);
  });
  context.on("request", (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (protocol.startsWith("http") && hostname !== "localhost") problems.push(`third party: ${request.url()}`);
  });
  context.on("response", (response) => {
    // Not an error: the console asks the user to sign in again. RFC 9470 §3.
    if (response.headers()["www-authenticate"]?.includes("insufficient_user_authentication")) return;
    const page = response.request().resourceType() === "document";
    if (response.status() >= (page ? 500 : 400)) problems.push(`${response.status()}: ${response.url()}`);
  });
}

/** Fills in and submits the sign-in page that `page` shows. */
export async function fillSignIn(page: Page, name: string): Promise<void> {
  await page.getByLabel("Email").fill(emailOf(name));
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** Opens the console as the fixture user `name`. */
export async function openConsole(page: Page, name: string, path = "/"): Promise<void> {
  await page.goto(adminUrl + path);
  await expect(page).toHaveURL((url) => url.href.startsWith(`${issuer}/sign-in`));
  await fillSignIn(page, name);
  await expect(page.getByRole("link", { name: "Applications", exact: true })).toBeVisible();
  await expect.poll(() => page.evaluate(ALIVE)).toBe(true);
}

/** True once React has hydrated the page. Before that, buttons do nothing. */
const ALIVE = `[...document.querySelectorAll("button")].every((one) => Object.keys(one).some((key) => key.startsWith("__react")))`;

/** Waits two frames, so that scripts react to a change of color scheme, and then for all finite animations. */
const SETTLED = `new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next))).then(() =>
  Promise.allSettled(document.getAnimations().filter((one) => one.effect.getComputedTiming().iterations !== Infinity).map((one) => one.finished))
).then(() => undefined)`;

/** Fails on axe-core violations, in light and dark mode, and on horizontal scrolling at phone width. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.evaluate(SETTLED);
    // Runs through the debugger, so the page's content security policy does not apply.
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
