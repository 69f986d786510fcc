import type { Browser, Page } from "@playwright/test";
import { enrol, newUser, signOut } from "./passkeys.ts";
import { expect, expectAccessible, issuer, test } from "./stage.ts";
import { withoutSuggestions } from "./virtual-authenticator.ts";

test("WA-03 WA-04 WA-09 a passkey is added, signs in with a button, is renamed and removed", async ({ page }) => {
  const email = await newUser("passkey-story");
  const authenticator = await enrol(page, email);
  const [made, ...others] = await authenticator.credentials();
  expect(others).toEqual([]);
  expect(made?.isResidentCredential).toBe(true);
  await expectAccessible(page);

  await withoutSuggestions(page);
  await signOut(page);
  await page.goto(`${issuer}/sign-in`);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await expect(page).toHaveURL(`${issuer}/account`);

  await page.goto(`${issuer}/account/security`);
  await page.getByText("Rename", { exact: true }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("My laptop");
  await page.getByRole("button", { name: "Save name" }).click();
  await expect(page.getByText("My laptop")).toBeVisible();
  await page.getByRole("button", { name: "Remove My laptop" }).click();
  await expect(page.getByText("Passkey removed.")).toBeVisible();
  await expect(page.getByText("You don't have a passkey yet.")).toBeVisible();
});

test("WA-11 the sign-in page runs one script, and nothing inline", async ({ browser }) => {
  const page = await newPageWithViolations(browser);
  await page.goto(`${issuer}/sign-in`);
  const sources = await page.locator("script").evaluateAll((scripts) => scripts.map((one) => one.getAttribute("src")));
  expect(sources).toEqual(["/assets/pages.js"]);
  expect(await page.evaluate("window.violations")).toEqual([]);
  await page.context().close();
});

async function newPageWithViolations(browser: Browser): Promise<Page> {
  const page = await browser.newPage();
  await page.addInitScript(`window.violations = [];
    addEventListener("securitypolicyviolation", ({ violatedDirective }) => window.violations.push(violatedDirective));`);
  return page;
}
