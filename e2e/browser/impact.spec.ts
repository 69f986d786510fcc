import { obtainCode, signIn } from "../harness/flow.ts";
import { adminUrl, expect, expectAccessible, issuer, openSection, registerClient, signInToConsole, test } from "./stage.ts";

test("CO-37 CO-43 impact-then-disable: a production client that users allowed is disabled, then removed, after its name is typed", async ({
  page,
}) => {
  const applicationName = `Parcel desk ${Date.now()}`;
  const redirectUri = "https://parcels.example/callback";
  await signInToConsole(page, "admin");
  const { applicationId, clientId } = await registerClient(page, {
    applicationName,
    environment: "production",
    redirectUris: [redirectUri],
  });
  await obtainCode(await signIn(issuer, "consent"), { client_id: clientId, redirect_uris: [redirectUri] }, { scope: "openid" });

  await page.goto(`${adminUrl}/applications/${applicationId}?environment=production`);
  await page.getByRole("button", { name: "Disable", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByTestId("impact")).toContainText("1 user loses access (1 grant).");
  const disable = dialog.getByRole("button", { name: `Disable ${applicationName} in production` });
  await expect(disable).toBeDisabled();
  await expectAccessible(page);
  await dialog.getByLabel(`Type ${applicationName} to confirm`).fill(applicationName);
  await disable.click();
  await expect(page.getByText("This client is disabled")).toBeVisible();

  await openSection(page, "Settings");
  await page.getByRole("button", { name: "Remove client" }).click();
  const remove = dialog.getByRole("button", { name: "Remove Main from production" });
  await expect(dialog.getByTestId("impact")).toContainText("At once");
  await expect(remove).toBeDisabled();
  await expectAccessible(page);
  await dialog.getByLabel(`Type ${applicationName} to confirm`).fill(applicationName);
  await remove.click();
  await expect(page.getByRole("button", { name: "Remove client" })).toHaveCount(0);
});
