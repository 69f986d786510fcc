import { cookieName } from "@gatehouse/auth";
import type { Page } from "@playwright/test";
import { expect, expectAccessibleOnPhoneToo, full, issuer, test } from "./stage.ts";

/** Brings the page into one state. Runs once per language, so it must not depend on words. */
type Show = () => Promise<unknown>;

const LOCALES = [
  ["en", "ltr"],
  ["ar", "rtl"],
] as const;

/**
 * Checks one state in English and in Arabic, or in one of them. The state is built once for both, or submitted again.
 * `at`: the server's issuer.
 */
export async function check(page: Page, name: string, show: Show, at = issuer): Promise<void> {
  await test.step(name, async () => {
    for (const [locale, direction] of full ? LOCALES : LOCALES.filter((_, place) => place === name.length % 2)) {
      await page.context().addCookies([{ name: cookieName("locale", { issuer: at }), value: locale, url: at }]);
      await show();
      await expect(page.locator("html")).toHaveAttribute("dir", direction);
      await expectAccessibleOnPhoneToo(page);
    }
  });
}

/**
 * Submits the form with this action, in whose query its request may be, and these fields, whatever the browser thinks
 * of its fields.
 */
export async function submit(
  page: Page,
  action: string,
  fields: Record<string, string>,
  button = "button[type=submit]",
): Promise<void> {
  const [first] = Object.keys(fields);
  const forms = page.locator(`form[action="${action}"], form[action^="${action}?"]`);
  const form = (first === undefined ? forms : forms.filter({ has: page.locator(`[name="${first}"]`) })).first();
  await page.evaluate("for (const form of document.forms) form.noValidate = true");
  for (const [name, value] of Object.entries(fields)) await form.locator(`[name="${name}"]`).fill(value);
  await form.locator(button).first().click();
  await page.waitForLoadState();
}
