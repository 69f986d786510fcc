import { adminUrl, expect, expectAccessible, issuer, openConsole, test } from "./stage.ts";

const refreshAs = (clientId: string, secret: string) =>
  fetch(`${issuer}/token`, {
    method: "POST",
    body: new URLSearchParams({ grant_type: "refresh_token", refresh_token: "none", client_id: clientId, client_secret: secret }),
  }).then(async (answer) => ((await answer.json()) as { error: string }).error);

test("D11 a client goes from development to staging, and its secret is rotated without downtime", async ({ page }) => {
  await openConsole(page, "developer");
  await page.getByRole("button", { name: "New application" }).click();
  await page.getByLabel("Name").fill("Promoted shop");
  await page.getByRole("button", { name: "Create" }).click();
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
  await expect(page.getByRole("table", { name: "What would change" })).toContainText("api:read");
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
  await page.getByRole("button", { name: "Make secret" }).click();
  const rotated = (await secret.textContent()) ?? "";
  await page.getByRole("button", { name: "Done" }).click();
  for (const known of [staging, rotated]) expect(await refreshAs(stagingId, known)).toBe("invalid_grant");

  const first = page
    .getByRole("table", { name: "Live secrets" })
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

test("an admin makes a user, who signs in and is then switched off", async ({ page, browser, watched }) => {
  const email = `made-${Date.now()}@example.com`;
  const password = "a password of the tests";
  await openConsole(page, "admin", "/users");
  await page.getByRole("button", { name: "New user" }).click();
  const dialog = page.getByRole("dialog", { name: "New user" });
  await dialog.getByLabel("Name").fill("Made Here");
  await dialog.getByLabel("E-mail").fill(email);
  await dialog.locator("input[type=password]").fill(password);
  await dialog.getByLabel("Role").selectOption({ label: "Viewer" });
  await dialog.getByRole("button", { name: "Create" }).click();
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
  await expect(page.getByText(/Every token of .* is revoked/)).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0); // while it closes, its overlay takes the next click
  await page.getByRole("button", { name: "Disable" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Disable" }).click();
  await expect(page.getByRole("button", { name: /Enable|Activate/ })).toBeVisible();

  await made.goto(`${issuer}/account`);
  await expect(made).toHaveURL((url) => url.pathname === "/sign-in");
  await context.close();
});

test("RG-05 an admin takes over the account of somebody who signed up, and signs its new owner out everywhere", async ({
  page,
  browser,
  watched,
}) => {
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
  await expect(page).toHaveURL((url) => url.search.includes(encodeURIComponent(email))); // the search is in the URL before the list is left
  await page.getByRole("table").getByText(email).click();
  await page.getByRole("button", { name: "Take over" }).click();
  await expectAccessible(page);
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Ops");
  await dialog.locator("input[type=password]").fill("a password of the tests");
  await dialog.getByLabel("Role").selectOption({ label: "Developer" });
  await dialog.getByRole("button", { name: "Empty and take over" }).click();
  await expect(page.getByRole("heading", { name: "Ops" })).toBeVisible();
  await expect(page.getByText("address not verified")).toHaveCount(0);

  await stranger.goto(`${issuer}/account`);
  await expect(stranger).toHaveURL((url) => url.pathname === "/sign-in");
  await stranger.getByLabel("Email").fill(email);
  await stranger.getByLabel("Password").fill("a password of the tests");
  await stranger.getByRole("button", { name: "Sign in" }).click();
  await expect(stranger).toHaveURL(`${issuer}/account`);

  await page.reload(); // the list that the page has is from before the sign-in
  await expect(page.getByRole("table", { name: "Sessions" })).toBeVisible();
  await page.getByRole("button", { name: "Sign out everywhere" }).click();
  await page.getByRole("dialog").getByLabel("Also end the access of all other applications").check();
  await page.getByRole("dialog").getByRole("button", { name: "Sign out", exact: true }).click();
  await expect(page.getByText("Not signed in anywhere.")).toBeVisible();
  await stranger.goto(`${issuer}/account`);
  await expect(stranger).toHaveURL((url) => url.pathname === "/sign-in");
  await context.close();
});
