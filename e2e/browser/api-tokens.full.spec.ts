import { adminUrl, expect, expectAccessible, issuer, openConsole, registerClient, test } from "./stage.ts";

const call = (token: string, procedure: string, input: object) =>
  fetch(`${issuer}/trpc/${procedure}?input=${encodeURIComponent(JSON.stringify(input))}`, {
    headers: { authorization: `Bearer ${token}` },
  });

// The first form that is sent has no scope.
test.use({ provoked: [400] });

test("CO-02 CO-70 only admins see the API tokens", async ({ page }) => {
  await openConsole(page, "developer");
  await page.goto(`${adminUrl}/settings/api-tokens`);
  await expect(page.getByRole("heading", { level: 1 })).not.toHaveText("API tokens");
});

test("CO-70 CO-91 api-token-limits: a token is shown once, does what it was made for, and stops when it is revoked", async ({
  page,
}) => {
  const run = `api-token-${Date.now()}`;
  await openConsole(page, "admin", "/settings/api-tokens");
  const { clientId } = await registerClient(page, { applicationName: `Shop ${run}` });
  const { clientId: other } = await registerClient(page, { applicationName: `Other ${run}` });

  await page.getByRole("button", { name: "New API token" }).click();
  const dialog = page.getByRole("dialog", { name: "New API token" });
  await dialog.getByLabel("Name").fill(`Checks ${run}`);
  await dialog.getByRole("button", { name: "Create token" }).click();
  await expect(dialog.getByText("choose at least one")).toBeVisible();
  await expectAccessible(page);
  await dialog.getByLabel("clients:read").check();
  await dialog.getByLabel("Only this client").fill(clientId);
  await expect(dialog.getByLabel("audit:read")).toBeDisabled();
  await dialog.getByRole("button", { name: "Create token" }).click();
  const token = (await dialog.getByTestId("api-token").textContent()) ?? "";
  expect(token).toMatch(/^gap_/);
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(dialog).toHaveCount(0);
  expect(await page.content()).not.toContain(token);

  const row = page.getByRole("row").filter({ hasText: `Checks ${run}` });
  await expect(row).toContainText(clientId);
  await expect(row).toContainText("Never");
  await expectAccessible(page);
  expect((await call(token, "clients.get", { clientId })).status).toBe(200);
  expect((await call(token, "clients.get", { clientId: other })).status).toBe(403);
  expect((await call(token, "audit.list", {})).status).toBe(403);

  await page.reload();
  await expect(row).not.toContainText("Never");
  await row.getByRole("button", { name: `Revoke Checks ${run}` }).click();
  const confirm = page.getByRole("dialog", { name: `Revoke Checks ${run}?` });
  await expect(confirm.getByRole("button", { name: "Revoke token" })).toBeDisabled();
  await confirm.getByLabel(`Type Checks ${run} to confirm`).fill(`Checks ${run}`);
  await expectAccessible(page);
  await confirm.getByRole("button", { name: "Revoke token" }).click();
  await expect(row).toContainText("Revoked");
  expect((await call(token, "clients.get", { clientId })).status).toBe(401);

  await page.goto(`${adminUrl}/audit?action=api_token`);
  await expect(page.getByRole("table").getByText(`Checks ${run}`).first()).toBeVisible();
});
