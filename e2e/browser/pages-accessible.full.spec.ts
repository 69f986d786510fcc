import { PASSWORD } from "../harness/fixture.ts";
import { createUser } from "./people.ts";
import { expect, fillSignIn, issuer, test } from "./stage.ts";

// The server's pages beyond what axe-core sees. AX-01.

const ACCOUNT_PAGES = ["/account", "/account/security", "/account/sessions", "/account/apps", "/account/activity"];

for (const locale of ["en", "ar"] as const) {
  test.describe(`AX-01 in ${locale}`, () => {
    test.use({ locale });

    test("a narrow window shows the account's current section in its navigation", async ({ page }) => {
      const email = await createUser(`narrow-${locale}-${Date.now()}`);
      await page.goto(`${issuer}/sign-in`);
      await page.locator("#email").fill(email);
      await page.locator("#password").fill(PASSWORD);
      await page.locator("form[action='/sign-in'] button[type=submit]").first().click();
      await expect(page).toHaveURL(`${issuer}/account`);
      for (const width of [390, 320]) {
        await page.setViewportSize({ width, height: 844 });
        for (const path of ACCOUNT_PAGES) {
          await page.goto(issuer + path);
          await expect(page.locator(`nav a[href="${path}"][aria-current="page"]`)).toBeInViewport({ ratio: 1 });
        }
      }
    });
  });
}

test.describe("AX-01 without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the language switch and the account's navigation work", async ({ page }) => {
    await page.goto(`${issuer}/sign-in`);
    await fillSignIn(page, "browser");
    for (const name of ["Security", "Sessions", "Apps", "Activity", "Profile"]) {
      await page.getByRole("navigation", { name: "Account" }).getByRole("link", { name }).click();
      await expect(page.locator('nav a[aria-current="page"]')).toHaveText(name);
    }
    await page.locator(".languages summary").click();
    await page.getByRole("button", { name: "Deutsch" }).click();
    await expect(page.locator("html")).toHaveAttribute("lang", "de");
    await page.locator(".languages summary").click();
    await page.getByRole("button", { name: "English" }).click();
    await expect(page.locator("html")).toHaveAttribute("lang", "en");
  });
});

test("2.5.8 every control is at least 24 pixels high", async ({ page }) => {
  await page.goto(`${issuer}/sign-in`);
  await fillSignIn(page, "browser");
  for (const path of ["/sign-in", "/sign-up", "/account", "/account/security", "/account/sessions", "/account/apps"]) {
    await page.goto(issuer + path);
    const small = await page.evaluate(SMALL_TARGETS);
    expect(small, path).toEqual([]);
  }
});

/**
 * Visible buttons, inputs and links that are lower than 24 px. Links within a sentence are exempt (WCAG 2.2 §2.5.8),
 * and a checkbox with its label.
 */
const SMALL_TARGETS = `[...document.querySelectorAll("button, input:not([type=hidden]):not([type=checkbox]), select, summary, nav a, a.button")]
  .filter((one) => one.checkVisibility() && !one.closest("p") && one.getBoundingClientRect().height < 24)
  .map((one) => one.outerHTML)`;
