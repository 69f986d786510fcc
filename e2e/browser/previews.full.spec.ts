import type { Browser, Page } from "@playwright/test";
import * as client from "openid-client";
import { adminUrl, expect, expectAccessible, fillSignIn, issuer, openConsole, registerClient, test } from "./stage.ts";

// The forms are first sent with what the server refuses.
test.use({ provoked: [400] });

/** A browser without the watch of other hosts, in which the preview's address answers. */
async function visitorOf(browser: Browser, redirectUri: string): Promise<Page> {
  const context = await browser.newContext();
  await context.route(`${new URL(redirectUri).origin}/**`, (route) =>
    route.fulfill({ contentType: "text/html", body: "<h1>Preview</h1>" }),
  );
  return context.newPage();
}

test("CO-28 CO-29 CO-30 slot-lives-and-ends: an app signs users in through a slot until it ends", async ({
  page,
  browser,
}) => {
  const run = `previews-${Date.now()}`;
  const redirectUri = "https://pr-1.preview.example.com/callback";
  await openConsole(page, "admin");
  const grantTypes = ["authorization_code", "refresh_token"];
  const registered = await registerClient(page, {
    applicationName: `Shop ${run}`,
    grantTypes,
    scopes: ["openid", "offline_access", "profile"],
  });
  await page.goto(`${adminUrl}/applications/${registered.applicationId}?tab=previews`);

  // The frame.
  await expect(page.getByRole("heading", { name: "No previews yet" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Set preview addresses" }).click();
  const frame = page.getByRole("dialog", { name: "Preview addresses" });
  await frame.getByLabel("Host ends with").fill(".vercel.app");
  await frame.getByRole("button", { name: "Save" }).click();
  await expect(frame.getByText("needed, because everybody’s deployments share vercel.app")).toBeVisible();
  await expectAccessible(page);
  await frame.getByLabel("Host ends with").fill(".preview.example.com");
  await frame.getByRole("button", { name: "Save" }).click();
  await expect(page.getByTestId("preview-frame")).toHaveText("https://….preview.example.com/callback");
  await expect(page.getByText("No live slots.")).toBeVisible();
  await expectAccessible(page);

  // A slot, outside of the frame and inside.
  await page.getByRole("button", { name: "Add slot" }).click();
  const add = page.getByRole("dialog", { name: "Add a preview slot" });
  await add.getByLabel("Key").fill("pr-1");
  await expect(add.getByLabel("Redirect URI")).toHaveValue(redirectUri);
  await add.getByLabel("Redirect URI").fill("https://pr-1.evil.example/callback");
  await add.getByRole("button", { name: "Add slot" }).click();
  await expect(add.getByText("must have a host that ends with .preview.example.com")).toBeVisible();
  await expectAccessible(page);
  await add.getByLabel("Redirect URI").fill(redirectUri);
  await add.getByRole("button", { name: "Add slot" }).click();
  const live = page.getByRole("table", { name: "Live slots" });
  await expect(live.getByRole("row").filter({ hasText: "pr-1" })).toContainText(redirectUri);
  await expectAccessible(page);

  // The application, with a real client library.
  const config = await client.discovery(new URL(issuer), registered.clientId, registered.secret ?? "", undefined, {
    execute: [client.allowInsecureRequests],
  });
  const visitor = await visitorOf(browser, redirectUri);
  const verifier = client.randomPKCECodeVerifier();
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: "openid offline_access",
    prompt: "consent",
    state: "s",
    code_challenge_method: "S256",
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
  });
  await visitor.goto(url.href);
  await fillSignIn(visitor, "viewer");
  await expect(visitor.getByText("pr-1.preview.example.com")).toBeVisible();
  await visitor.getByRole("button", { name: "Allow" }).click();
  await expect(visitor.getByRole("heading", { name: "Preview" })).toBeVisible();
  const checks = { pkceCodeVerifier: verifier, expectedState: "s", idTokenExpected: true };
  const tokens = await client.authorizationCodeGrant(config, new URL(visitor.url()), checks);
  const renewed = await client.refreshTokenGrant(config, tokens.refresh_token ?? "");
  const subject = tokens.claims()?.sub ?? "";
  expect(await client.fetchUserInfo(config, renewed.access_token, subject)).toMatchObject({ sub: subject });

  // Its end.
  await page.getByRole("button", { name: "End pr-1" }).click();
  const confirm = page.getByRole("dialog", { name: "End the slot pr-1?" });
  await expectAccessible(page);
  await confirm.getByRole("button", { name: "End slot" }).click();
  await expect(
    page.getByRole("table", { name: "Ended slots" }).getByRole("row").filter({ hasText: "pr-1" }),
  ).toBeVisible();
  await expect(client.fetchUserInfo(config, renewed.access_token, subject)).rejects.toThrow();
  await expect(client.refreshTokenGrant(config, renewed.refresh_token ?? "")).rejects.toMatchObject({
    error: "invalid_grant",
  });
  await visitor.goto(url.href);
  await expect(visitor.getByText("This preview has ended")).toBeVisible();
  await visitor.context().close();

  await page.goto(`${adminUrl}/failures?view=all&client=${registered.clientId}`);
  await expect(page.getByText(/preview slot/i).first()).toBeVisible();
  await page.goto(`${adminUrl}/applications/${registered.applicationId}?tab=history`);
  await expect(page.getByText("Ended preview slot")).toBeVisible();

  // Without CI.
  await page.goto(`${adminUrl}/applications/${registered.applicationId}?tab=previews`);
  await page.getByRole("button", { name: "Make 20 numbered slots" }).click();
  await expect(live.getByRole("row").filter({ hasText: "https://slot-20.preview.example.com/callback" })).toBeVisible();

  const inProduction = { environment: "production", redirectUris: ["https://shop.example/callback"] };
  const production = await registerClient(page, { applicationName: `Live shop ${run}`, ...inProduction });
  await page.goto(`${adminUrl}/applications/${production.applicationId}`);
  const sections = page.getByRole("navigation", { name: "Sections" });
  await expect(sections.getByRole("link", { name: "Settings", exact: true })).toBeVisible();
  await expect(sections.getByRole("link", { name: "Previews", exact: true })).toHaveCount(0);
});

test("CO-29 a developer cannot set which addresses slots have", async ({ page }) => {
  await openConsole(page, "developer");
  const run = `previews-developer-${Date.now()}`;
  const { applicationId } = await registerClient(page, { applicationName: `Shop ${run}` });
  await page.goto(`${adminUrl}/applications/${applicationId}?tab=previews`);
  await expect(page.getByRole("button", { name: "Set preview addresses" })).toBeDisabled();
});
