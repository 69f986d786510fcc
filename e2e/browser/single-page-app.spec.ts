import type { Page } from "@playwright/test";
import type { UserManager } from "oidc-client-ts";
import { emailOf } from "../harness/fixture.ts";
import { type SinglePageApp, startSinglePageApp } from "./single-page-app.ts";
import { environment, expect, fillSignIn, issuer, test } from "./stage.ts";

// oidc-client-ts in Chromium without a refresh token. The example (examples.full.spec.ts) has one.

/** What the page exposes to the test. */
type InPage = { manager: (scope: string) => UserManager };

const NOT_RENEWABLE = "openid profile email api:read";

let app: SinglePageApp;
test.beforeAll(async () => {
  app = await startSinglePageApp(issuer, environment);
});
test.afterAll(() => app?.stop());

async function signIn(page: Page, scope: string): Promise<void> {
  await page.goto(app.origin);
  await page.evaluate((wanted) => void (globalThis as unknown as InPage).manager(wanted).signinRedirect(), scope);
  await expect(page).toHaveURL((url) => url.href.startsWith(`${issuer}/sign-in`));
  await fillSignIn(page, "browser");
  const allow = page.getByRole("button", { name: "Allow" });
  const status = page.getByRole("status");
  await expect(allow.or(status)).toBeVisible();
  if (await allow.isVisible()) await allow.click();
  await expect(status).toHaveText(`signed in as ${emailOf("browser")}`);
}

const refreshTokenOf = (page: Page, scope: string) =>
  page.evaluate(
    async (wanted) => (await (globalThis as unknown as InPage).manager(wanted).getUser())?.refresh_token,
    scope,
  );

const renew = (page: Page, scope: string) =>
  page.evaluate(
    (wanted) =>
      (globalThis as unknown as InPage)
        .manager(wanted)
        .signinSilent()
        .then(
          (user) => user?.access_token,
          (error: Error) => `failed: ${error.message}`,
        ),
    scope,
  );

test("OI-05 OI-06 AZ-26 AZ-32 without offline_access there is no refresh token, and silent renewal fails when the user has to be asked", async ({
  page,
  context,
}) => {
  await signIn(page, NOT_RENEWABLE);
  expect(await refreshTokenOf(page, NOT_RENEWABLE)).toBeUndefined();
  // Any program on this machine could be at that address, so the user is asked each time.
  expect(await renew(page, NOT_RENEWABLE)).toMatch(/^failed: the user must be asked/);
  await context.clearCookies();
  expect(await renew(page, NOT_RENEWABLE)).toMatch(/^failed: the user must sign in/);
});
