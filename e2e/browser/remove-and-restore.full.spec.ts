import { framed } from "./branding.ts";
import { adminUrl, expect, expectAccessible, openConsole, registerClient, signInToConsole, test } from "./stage.ts";

// The restore under a name that is taken.
test.use({ provoked: [409] });

test("CO-43 CO-44 remove-and-restore: an application is removed after its name is typed, undone on the page, and restored under another name", async ({
  page,
}) => {
  const applicationName = `Ticket desk ${Date.now()}`;
  await openConsole(page, "admin");
  const { applicationId, clientId } = await registerClient(page, { applicationName });
  const dialog = page.getByRole("dialog");
  const removeApplication = async () => {
    await page.goto(`${adminUrl}/applications/${applicationId}?tab=settings`);
    // The preview loads once it is in view. After the removal its requests get 404.
    await page.getByText("In the header of the sign-in page").scrollIntoViewIfNeeded();
    for (const theme of ["light", "dark"]) {
      const preview = framed(page, `The sign-in page, ${theme} theme`);
      await expect(preview.getByRole("button", { name: "Sign in", exact: true })).toBeVisible();
    }
    await page.getByRole("button", { name: "Remove application" }).click();
    const remove = dialog.getByRole("button", { name: `Remove ${applicationName}` });
    await expect(dialog.getByTestId("impact")).toContainText("No user loses access.");
    await expect(remove).toBeDisabled();
    await dialog.getByLabel(`Type ${applicationName} to confirm`).fill(applicationName);
    await remove.click();
    await expect(page.getByText(`${applicationName} is removed`)).toBeVisible();
  };

  await removeApplication();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("heading", { level: 1, name: applicationName })).toBeVisible();
  await expect(page.getByTestId("client-id")).toHaveText(clientId);

  await removeApplication();
  await registerClient(page, { applicationName });
  await page.getByRole("link", { name: "Removed applications and clients" }).click();
  await page.getByLabel("Search removed").fill(applicationName);
  const row = page.getByRole("row").filter({ hasText: applicationName });
  await expect(row).toHaveCount(1);
  await expectAccessible(page);
  await row.getByRole("button", { name: "Restore" }).click();
  await expect(dialog.getByText(`An application called ${applicationName} exists.`)).toBeVisible();
  await expectAccessible(page);
  await dialog.getByLabel("Name").fill(`${applicationName} (old)`);
  await dialog.getByRole("button", { name: "Restore" }).click();
  await expect(row).toHaveCount(0);
  await page.goto(`${adminUrl}/applications/${applicationId}`);
  await expect(page.getByRole("heading", { level: 1, name: `${applicationName} (old)` })).toBeVisible();
});

// The restore under a name that is taken.
test.use({ provoked: [409] });

test("CO-44 CO-78 a removed client is restored from the page it was on", async ({ page }) => {
  await signInToConsole(page, "developer");
  const { applicationId, clientId } = await registerClient(page, { applicationName: `Kiosk ${Date.now()}` });
  await page.goto(`${adminUrl}/applications/${applicationId}?tab=settings`);
  await page.getByRole("button", { name: "Remove client" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByTestId("impact")).toBeVisible(); // a request after the removal gets 404
  await dialog
    .getByLabel(/^Type .* to confirm$/)
    .fill((await page.getByRole("heading", { level: 1 }).textContent()) ?? "");
  await dialog.getByRole("button", { name: "Remove Main from development" }).click();
  await expect(page.getByText("No development client yet")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByTestId("client-id")).toHaveText(clientId);
});
