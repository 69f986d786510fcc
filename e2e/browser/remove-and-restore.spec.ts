import { adminUrl, expect, registerClient, signInToConsole, test } from "./stage.ts";

// The restore under a name that is taken.
test.use({ provoked: [409] });

test("CO-44 CO-78 a removed client is restored from the page it was on", async ({ page }) => {
  await signInToConsole(page, "developer");
  const { applicationId, clientId } = await registerClient(page, { applicationName: `Kiosk ${Date.now()}` });
  await page.goto(`${adminUrl}/applications/${applicationId}?tab=settings`);
  await page.getByRole("button", { name: "Remove client" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(/^Type .* to confirm$/).fill((await page.getByRole("heading", { level: 1 }).textContent()) ?? "");
  await dialog.getByRole("button", { name: "Remove Main from development" }).click();
  await expect(page.getByText("No development client yet")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByTestId("client-id")).toHaveText(clientId);
});
