import { obtainCode, signIn } from "../harness/flow.ts";
import {
  adminUrl,
  expect,
  expectAccessible,
  issuer,
  openConsole,
  openSection,
  post,
  registerClient,
  save,
  signInToConsole,
  test,
} from "./stage.ts";

test("CO-37 before a save takes a redirect URI or a scope away, the form says who is affected", async ({ page }) => {
  await openConsole(page, "developer");
  const { applicationId } = await registerClient(page, {
    applicationName: `Fewer scopes ${Date.now()}`,
    scopes: ["openid", "email"],
  });
  await page.goto(`${adminUrl}/applications/${applicationId}?tab=settings`);
  await expect(page.getByText("What this takes away")).toHaveCount(0);
  await page.getByRole("checkbox", { name: "email", exact: true }).uncheck();
  await expect(page.getByText("Removed scopes", { exact: true })).toBeVisible();
  await expect(page.getByTestId("impact")).toContainText("At once: New tokens don’t have the removed scopes");
  await expectAccessible(page);
  await save(page);
  await expect(page.getByText("What this takes away")).toHaveCount(0);
});

test("CO-36 CO-37 CO-43 applications in production are disabled together after the name is typed, with who loses access", async ({
  page,
}) => {
  const applicationName = `Bulk desk ${Date.now()}`;
  const redirectUri = "https://bulk.example/callback";
  await openConsole(page, "admin");
  const client = { applicationName, environment: "production", redirectUris: [redirectUri] };
  const { clientId } = await registerClient(page, client);
  await obtainCode(
    await signIn(issuer, "consent"),
    { client_id: clientId, redirect_uris: [redirectUri] },
    { scope: "openid" },
  );

  await page.goto(`${adminUrl}/applications?query=${encodeURIComponent(applicationName)}`);
  await page.getByRole("checkbox", { name: `Select ${applicationName}` }).check();
  await page.getByRole("button", { name: "Disable", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Disable applications" });
  await expect(dialog.getByTestId("impact")).toContainText("1 user loses access (1 grant).");
  const disable = dialog.getByRole("button", { name: "Disable 1 application in production" });
  await expect(disable).toBeDisabled();
  await expectAccessible(page);
  await dialog.getByLabel(`Type ${applicationName} to confirm`).fill(applicationName);
  await disable.click();
  await expect(dialog.getByText("1 done, 0 failed")).toBeVisible();
});

test("CO-43 an API that clients of production use is turned off after its name is typed", async ({ page }) => {
  const stamp = Date.now();
  const [id, name] = [`https://used-${stamp}.example`, `Used ${stamp}`];
  await openConsole(page, "admin");
  await post(page, "resources.create", { id, name, scopes: [{ name: `used-${stamp}:read`, description: "see it" }] });
  const { id: applicationId } = await post<{ id: string }>(page, "applications.create", {
    name: `Uses ${stamp}`,
    description: "",
  });
  const draft = {
    environment: "production",
    type: "web",
    redirectUris: ["https://used.example/cb"],
    grantTypes: ["authorization_code"],
  };
  await post(page, "clients.register", { ...draft, applicationId, scopes: ["openid"], options: { resources: [id] } });
  await page.goto(`${adminUrl}/resources/${encodeURIComponent(id)}`);
  await page.getByRole("button", { name: "Turn off", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByTestId("impact")).toContainText("Used by 1 client");
  const off = dialog.getByRole("button", { name: `Turn off ${name} in production` });
  await expect(off).toBeDisabled();
  await dialog.getByLabel(`Type ${name} to confirm`).fill(name);
  await off.click();
  await expect(page.getByRole("button", { name: "Turn on", exact: true })).toBeVisible();
});

test("CO-43 the last secret of a production client is retired now only after its last four characters are typed", async ({
  page,
}) => {
  await openConsole(page, "admin");
  const client = {
    applicationName: `Last secret ${Date.now()}`,
    environment: "production",
    redirectUris: ["https://last.example/cb"],
  };
  const { applicationId, secret } = await registerClient(page, client);
  await page.goto(`${adminUrl}/applications/${applicationId}?tab=secrets&environment=production`);
  await page.getByRole("button", { name: "Retire", exact: true }).click();
  const dialog = page.getByRole("dialog");
  const retire = dialog.getByRole("button", { name: "Retire secret in production" });
  await expect(dialog.getByText("This is the only active secret.")).toBeVisible();
  await expect(retire).toBeDisabled();
  const hint = (secret ?? "").slice(-4);
  await dialog.getByLabel(`Type ${hint} to confirm`).fill(hint);
  await retire.click();
  await expect(page.getByText(`Secret …${hint} retired.`)).toBeVisible();
});

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
  await obtainCode(
    await signIn(issuer, "consent"),
    { client_id: clientId, redirect_uris: [redirectUri] },
    { scope: "openid" },
  );

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
