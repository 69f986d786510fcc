import { adminUrl, expect, expectAccessible, issuer, openConsole, registerClient, test } from "./stage.ts";

test("CO-18 CO-19 CO-36 applications are searched, ordered and disabled together, and enabled again", async ({
  page,
}) => {
  const stamp = Date.now().toString(36);
  await openConsole(page, "developer");
  const host = `orchard-${stamp}.example`;
  const grantTypes = ["client_credentials"];
  const pear = await registerClient(page, {
    applicationName: `Orchard${stamp} Pear`,
    grantTypes: [...grantTypes, "authorization_code"],
    redirectUris: [`https://${host}/callback`],
    scopes: ["api:read"],
  });
  await registerClient(page, {
    applicationName: `Orchard${stamp} apple`,
    type: "service",
    grantTypes,
    redirectUris: [],
    scopes: ["api:read"],
  });
  const body = new URLSearchParams({
    grant_type: "client_credentials",
    client_id: pear.clientId,
    client_secret: pear.secret ?? "",
  });
  const token = async () => (await fetch(`${issuer}/token`, { method: "POST", body })).status;
  expect(await token()).toBe(200);

  await page.goto(`${adminUrl}/applications?query=orchard${stamp}`);
  const table = page.getByRole("table", { name: "Applications" });
  const names = table.locator("tbody [data-row-link]");
  await expect(names).toHaveCount(2);
  await expect(table.getByRole("columnheader", { name: "Created" })).toHaveAttribute("aria-sort", "descending");
  await expectAccessible(page);
  await table.getByRole("button", { name: "Last token" }).click();
  await expect(page).toHaveURL(/sort=lastToken/);
  await expect(async () => {
    await page.reload();
    await expect(names.first()).toHaveText(`Orchard${stamp} Pear`, { timeout: 10_000 });
  }).toPass(); // counted within seconds
  await table.getByRole("button", { name: "Application", exact: true }).click();
  await expect(names.first()).toHaveText(`Orchard${stamp} apple`);
  await expect(table.getByRole("columnheader", { name: "Application" })).toHaveAttribute("aria-sort", "ascending");

  for (const query of [pear.clientId.slice(0, 8), `orchard-${stamp}.ex`, (pear.secret ?? "").slice(-4)]) {
    await page.getByLabel("Search applications").fill(query);
    await expect(page).toHaveURL((url) => url.searchParams.get("query") === query);
    await expect(names.filter({ hasText: `Orchard${stamp} Pear` })).toHaveCount(1);
  }

  await page.goto(`${adminUrl}/applications?query=orchard${stamp}`);
  await table.getByRole("checkbox", { name: "Select all on this page" }).check();
  await page.getByRole("button", { name: "Disable", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Disable applications" });
  await expect(dialog).toContainText(`One of them got a token in the last 7 days: Orchard${stamp} Pear.`);
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Disable 2 applications" }).click();
  await expect(dialog.getByRole("button", { name: "Undo" })).toBeVisible();
  expect(await token()).toBe(401);
  await dialog.getByRole("button", { name: "Undo" }).click();
  await expect(dialog.getByText("2 undone, 0 failed")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  expect(await token()).toBe(200);
});
