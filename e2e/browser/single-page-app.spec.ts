import type { Page } from "@playwright/test";
import type { UserManager } from "oidc-client-ts";
import { emailOf } from "../harness/fixture.ts";
import { type SinglePageApp, startSinglePageApp } from "./single-page-app.ts";
import { environment, expect, fillSignIn, issuer, test } from "./stage.ts";

// oidc-client-ts in Chromium, on another origin than Gatehouse: what it may read there is up to CORS.

/** What the page offers to the test. */
type InPage = { manager: (scope: string) => UserManager };

const RENEWABLE = "openid profile email api:read offline_access";
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

const userOf = (page: Page, scope: string) =>
  page.evaluate(async (wanted) => {
    const user = await (globalThis as unknown as InPage).manager(wanted).getUser();
    return user && { access_token: user.access_token, refresh_token: user.refresh_token, scope: user.scope, profile: user.profile };
  }, scope);

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

const callApi = (page: Page, token: string) =>
  page.evaluate(
    async ([url, bearer]) => {
      const answer = await fetch(String(url), { headers: { authorization: `Bearer ${bearer}` } });
      return { status: answer.status, body: await answer.json() };
    },
    [`${issuer}/api/resource`, token],
  );

test("OI-05 OI-06 LO-01 a single-page app signs in, calls the API, renews by its refresh token, and signs out", async ({ page }) => {
  await signIn(page, RENEWABLE);
  const first = await userOf(page, RENEWABLE);
  expect(first?.profile).toMatchObject({ iss: issuer, aud: app.clientId, email: emailOf("browser"), name: expect.any(String) });
  expect(await callApi(page, first?.access_token ?? "")).toMatchObject({ status: 200, body: { client_id: app.clientId } });

  const renewed = await renew(page, RENEWABLE);
  expect(renewed).toMatch(/^gat_/);
  const second = await userOf(page, RENEWABLE);
  expect(second?.access_token).toBe(renewed);
  expect(second?.refresh_token).not.toBe(first?.refresh_token);
  expect(await callApi(page, renewed ?? "")).toMatchObject({ status: 200 });

  await page.evaluate((wanted) => void (globalThis as unknown as InPage).manager(wanted).signoutRedirect(), RENEWABLE);
  await expect(page).toHaveURL(`${app.origin}/signed-out`);
  await expect(page.getByRole("status")).toHaveText("signed out");
  // Signing out has revoked the tokens and ended the session at Gatehouse.
  await page.evaluate((wanted) => void (globalThis as unknown as InPage).manager(wanted).signinRedirect(), RENEWABLE);
  await expect(page).toHaveURL((url) => url.href.startsWith(`${issuer}/sign-in`));
});

test("AZ-26 AZ-32 without a refresh token its hidden frame learns that the person has to be asked, and never shows a page", async ({
  page,
  context,
}) => {
  await signIn(page, NOT_RENEWABLE);
  expect((await userOf(page, NOT_RENEWABLE))?.refresh_token).toBeUndefined();
  // Any program on this machine could have answered at its address: nobody is let through unasked.
  expect(await renew(page, NOT_RENEWABLE)).toMatch(/^failed: the user has to be asked/);
  await context.clearCookies();
  expect(await renew(page, NOT_RENEWABLE)).toMatch(/^failed: the user has to sign in/);
});
