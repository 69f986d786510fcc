import type { Locator, Page } from "@playwright/test";
import { adminUrl, expect, expectAccessible, issuer, openConsole, test } from "./stage.ts";

const refreshAs = (clientId: string, secret: string) =>
  fetch(`${issuer}/token`, {
    method: "POST",
    body: new URLSearchParams({ grant_type: "refresh_token", refresh_token: "none", client_id: clientId, client_secret: secret }),
  }).then(async (answer) => ((await answer.json()) as { error: string }).error);

/** Fails if `toast` covers `control` when the page is scrolled to its end, on a desktop or a phone. */
async function expectUncovered(page: Page, control: Locator, toast: Locator): Promise<void> {
  const desktop = page.viewportSize();
  for (const size of [desktop, { width: 390, height: 844 }]) {
    if (size !== null) await page.setViewportSize(size);
    await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
    const [above, below] = await Promise.all([control.boundingBox(), toast.boundingBox()]);
    expect((above?.y ?? 0) + (above?.height ?? 0), `at ${size?.width}px`).toBeLessThanOrEqual(below?.y ?? 0);
  }
  if (desktop !== null) await page.setViewportSize(desktop);
}

test("D11 a developer promotes a client from development to staging and rotates its secret without downtime", async ({ page }) => {
  await openConsole(page, "developer");
  await page.getByRole("button", { name: "New application" }).click();
  await page.getByLabel("Name").fill("Promoted shop");
  await page.getByRole("button", { name: "Create application" }).click();
  await page.getByRole("button", { name: "Register client" }).click();
  await page.getByLabel("Redirect URI", { exact: true }).fill("http://localhost:4000/callback");
  await page.getByRole("checkbox", { name: "api:read" }).check();
  await page.getByRole("button", { name: "Register", exact: true }).click();
  const secret = page.getByTestId("client-secret");
  const development = (await secret.textContent()) ?? "";
  await page.getByRole("button", { name: "Done" }).click();
  const developmentId = (await page.getByTestId("client-id").textContent()) ?? "";

  await page.getByRole("tab", { name: "Staging" }).click();
  await page.getByRole("button", { name: "Promote from development" }).click();
  await expect(page.getByRole("table", { name: "Changes" })).toContainText("api:read");
  await expectAccessible(page);
  await page.getByLabel("Redirect URI", { exact: true }).fill("https://staging.shop.example/callback#top");
  await expect(page.getByText(/#/)).toBeVisible();
  await page.getByLabel("Redirect URI", { exact: true }).fill("https://staging.shop.example/callback");
  await page.getByRole("button", { name: "Promote", exact: true }).click();
  await expect(secret).toBeVisible();
  const staging = (await secret.textContent()) ?? "";
  await page.getByRole("button", { name: "Done" }).click();
  await expect(page.getByTestId("client-id")).not.toHaveText(developmentId);
  const stagingId = (await page.getByTestId("client-id").textContent()) ?? "";

  expect(await refreshAs(developmentId, development)).toBe("invalid_grant");
  expect(await refreshAs(stagingId, development)).toBe("invalid_client");

  await page.getByRole("button", { name: "Add secret" }).click();
  await page.getByRole("button", { name: "Generate secret" }).click();
  const rotated = (await secret.textContent()) ?? "";
  await page.getByRole("button", { name: "Done" }).click();
  for (const known of [staging, rotated]) expect(await refreshAs(stagingId, known)).toBe("invalid_grant");

  const first = page
    .getByRole("table", { name: "Secrets" })
    .getByRole("row")
    .filter({ hasText: staging.slice(-4) });
  await first.getByRole("button", { name: /Retire/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Retire" }).click();
  await expect(first).toHaveCount(0);
  expect(await refreshAs(stagingId, staging)).toBe("invalid_client");
  expect(await refreshAs(stagingId, rotated)).toBe("invalid_grant");

  await page.getByRole("button", { name: "Disable" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Disable" }).click();
  await expect(page.getByText("This client is disabled")).toBeVisible();
  expect(await refreshAs(stagingId, rotated)).toBe("invalid_client");
});

test("an admin creates a user, who signs in and is then disabled", async ({ page, browser, watched }) => {
  const email = `made-${Date.now()}@example.com`;
  const password = "a password of the tests";
  await openConsole(page, "admin", "/users");
  await page.getByRole("button", { name: "New user" }).click();
  const dialog = page.getByRole("dialog", { name: "New user" });
  await dialog.getByLabel("Name").fill("Made Here");
  await dialog.getByLabel("Email").fill(email);
  await dialog.locator("input[type=password]").fill(password);
  await dialog.getByLabel("Role").selectOption({ label: "Viewer" });
  await dialog.getByRole("button", { name: "Create user" }).click();
  await expect(page.getByRole("table").getByText(email)).toBeVisible();

  const context = await browser.newContext();
  watched(context);
  const made = await context.newPage();
  await made.goto(adminUrl);
  await made.getByLabel("Email").fill(email);
  await made.getByLabel("Password").fill(password);
  await made.getByRole("button", { name: "Sign in" }).click();
  await expect(made.getByRole("link", { name: "Applications", exact: true })).toBeVisible();

  await page.getByRole("table").getByText(email).click();
  await expect(page.getByRole("heading", { name: "Made Here" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Revoke tokens" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke all tokens" }).click();
  const toast = page.getByRole("alert").filter({ hasText: "All tokens revoked." });
  await toast.hover(); // keeps it open
  await expect(page.getByRole("dialog")).toHaveCount(0); // while it closes, its overlay takes the next click
  await expectUncovered(page, page.getByRole("button", { name: "Disable" }), toast);
  await page.getByRole("button", { name: "Disable" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Disable" }).click();
  await expect(page.getByRole("button", { name: "Enable" })).toBeVisible();

  await made.goto(`${issuer}/account`);
  await expect(made).toHaveURL((url) => url.pathname === "/sign-in");
  await context.close();
});

test("RG-05 an admin takes over an unverified account and signs its user out everywhere", async ({ page, browser, watched }) => {
  const email = `signed-up-${Date.now()}@example.com`;
  const context = await browser.newContext();
  watched(context);
  const stranger = await context.newPage();
  await stranger.goto(`${issuer}/sign-up`);
  await stranger.getByLabel("Name").fill("Mallory");
  await stranger.getByLabel("Email").fill(email);
  await stranger.getByLabel("Password").fill("the password of a stranger");
  await stranger.getByRole("button", { name: "Create account" }).click();
  await expect(stranger).toHaveURL(`${issuer}/account`);

  await openConsole(page, "admin", "/users");
  await page.getByLabel("Search users").fill(email);
  await page.getByRole("table").getByText(email).click();
  await page.getByRole("button", { name: "Take over account" }).click();
  await expectAccessible(page);
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Ops");
  await dialog.locator("input[type=password]").fill("a password of the tests");
  await dialog.getByLabel("Role").selectOption({ label: "Developer" });
  await dialog.getByRole("button", { name: "Reset and take over" }).click();
  await expect(page.getByRole("heading", { name: "Ops" })).toBeVisible();
  await expect(page.getByText("Email not verified")).toHaveCount(0);

  await stranger.goto(`${issuer}/account`);
  await expect(stranger).toHaveURL((url) => url.pathname === "/sign-in");
  await stranger.getByLabel("Email").fill(email);
  await stranger.getByLabel("Password").fill("a password of the tests");
  await stranger.getByRole("button", { name: "Sign in" }).click();
  await expect(stranger).toHaveURL(`${issuer}/account`);

  await page.reload(); // the loaded list is from before the sign-in
  await expect(page.getByRole("table", { name: "Sessions" })).toBeVisible();
  await page.getByRole("button", { name: "Sign out everywhere" }).click();
  await page.getByRole("dialog").getByLabel("Also revoke the access of all other applications").check();
  await page.getByRole("dialog").getByRole("button", { name: "Sign out everywhere" }).click();
  await expect(page.getByText("No active sessions.")).toBeVisible();
  await stranger.goto(`${issuer}/account`);
  await expect(stranger).toHaveURL((url) => url.pathname === "/sign-in");
  await context.close();
});
