import type { Page } from "@playwright/test";
import { adminUrl, expect, openSection } from "./stage.ts";

export const unique = (name: string) => `${name} ${Date.now().toString(36)}`;

/** Registers a client by the wizard and opens its tab Try. */
export async function openTry(page: Page, kind: string, name: string): Promise<{ clientId: string; secret: string }> {
  await page.goto(`${adminUrl}/applications/new`);
  await page.getByRole("radio", { name: kind, exact: true }).click();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
  let secret = "";
  if (kind !== "Command line or TV") {
    await expect(page.getByTestId("client-secret")).toBeVisible();
    secret = (await page.getByTestId("client-secret").textContent()) ?? "";
    await page.getByRole("button", { name: "Done" }).click();
  }
  const clientId = (await page.getByTestId("client-id").textContent()) ?? "";
  await page.goto(`${adminUrl}/go/${clientId}`);
  await openSection(page, "Try");
  return { clientId, secret };
}

/**
 * Opens the link of a run in its new tab, allows there, and waits until this page goes on. The tab may close itself
 * before.
 */
export async function allowInNewTab(page: Page, link: string, goesOn: () => Promise<void>): Promise<void> {
  const [tab] = await Promise.all([
    page.context().waitForEvent("page"),
    page.getByRole("link", { name: link }).click(),
  ]);
  await expect(tab.getByText("Test run", { exact: true })).toBeVisible();
  await tab.getByRole("button", { name: "Allow" }).click();
  await goesOn();
  await tab.close();
}

export const steps = (page: Page) => page.getByTestId("trace-step");

export const unexpected = (page: Page) => page.locator('[data-testid="trace-step"][data-outcome="unexpected"]');
