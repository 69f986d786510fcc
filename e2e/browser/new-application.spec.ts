import { printed } from "../harness/quick-starts.ts";

import { createByWizard, running, unique } from "./new-application.ts";

import { adminUrl, expect, expectAccessible, openConsole, test } from "./stage.ts";

// From "What are you building?" to a token, by the quick start that the last screen shows. CO-20, CO-22.

test("CO-16 CO-20 CO-22 wizard-to-token: a service, with its quick start; the page shows its first token", async ({ page }) => {
  await openConsole(page, "developer");
  const given = await createByWizard(page, { kind: "Service", name: unique("Wizard service") });
  await running("curl-service", given, { scopes: ["api:read"] }, async (program) => {
    expect(await printed(program, /"access_token":"(gat_)/)).toBe("gat_");
    await expect(page.getByTestId("first-token")).toContainText("First token received");
  });
});

test("CO-20 Back keeps what was entered, a wrong redirect URI is named while typing, and nothing is asked twice", async ({ page }) => {
  const name = unique("Wizard back");
  await openConsole(page, "developer");
  await page.goto(`${adminUrl}/applications/new`);
  await expect(page.getByRole("radio", { name: "MCP server" })).toBeDisabled();
  await expectAccessible(page);
  await page.getByRole("radio", { name: "Web app" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByLabel("Name")).toBeFocused();
  await page.getByLabel("Name").fill(name);
  const redirectUri = page.getByLabel("Redirect URI");
  await expect(redirectUri).toHaveValue("http://localhost:4000/api/auth/callback/gatehouse");
  await page.getByLabel("Framework").selectOption("Express");
  await expect(redirectUri).toHaveValue("http://localhost:4000/callback");
  await redirectUri.fill("http://shop.example/callback");
  await expect(page.getByText(/https/).last()).toBeVisible();
  await expectAccessible(page);

  await page.goBack();
  await expect(page.getByRole("radio", { name: "Web app" })).toBeChecked();
  await page.goForward();
  await expect(page.getByLabel("Name")).toHaveValue(name);
  await expect(redirectUri).toHaveValue("http://shop.example/callback");
  await redirectUri.fill("http://localhost:4555/callback");
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await page.getByRole("button", { name: "Done" }).click();
  await expect(page.getByText('new URL("http://localhost:4555/callback")')).toBeVisible();
  await expectAccessible(page);

  await page.getByRole("link", { name: "Open application" }).click();
  await page.getByRole("link", { name: "Quick start" }).click();
  await page.getByText("Python", { exact: true }).click();
  await expect(page.getByText('REDIRECT_URI = "http://localhost:4555/callback"')).toBeVisible();
  await expect(page.getByRole("button", { name: "Copy for an assistant" })).toBeVisible();
  await expectAccessible(page);
});
