import { DAY, openNewClient, rowOf, tryAs } from "./client-secrets.ts";
import { expect, expectAccessible, openSection, signInToConsole, test } from "./stage.ts";

test("CO-33 retire-called-off: retiring later can be called off; a secret in use ends now only after its last four characters are typed", async ({
  page,
}) => {
  await signInToConsole(page, "admin");
  const { clientId, secret } = await openNewClient(page, "Careful secrets", "production", "https://shop.example/callback");
  const row = rowOf(page, "Secrets", secret);
  const dialog = page.getByRole("dialog", { name: /^Retire/ });
  const retire = dialog.getByRole("button", { name: "Retire secret in production" });
  await row.getByRole("button", { name: "Retire" }).click();
  await expect(dialog.getByLabel("When")).toHaveValue(String(DAY));
  await retire.click();
  await expect(row.getByRole("cell").nth(5)).not.toHaveText("Never");
  await row.getByRole("button", { name: "Call off" }).click();
  await expect(row.getByRole("cell").nth(5)).toHaveText("Never");
  expect(await tryAs(clientId, secret)).toBe("invalid_grant");

  await row.getByRole("button", { name: "Retire" }).click();
  await dialog.getByLabel("When").selectOption("Now");
  await expect(retire).toBeDisabled();
  await expectAccessible(page);
  await dialog.getByLabel(/^Type/).fill(secret.slice(-4));
  await retire.click();
  await expect(page.getByText("No active secrets.")).toBeVisible();
  expect(await tryAs(clientId, secret)).toBe("invalid_client");
});

test("CO-35 the tab Use shows what a client did, as charts and as a table, and leads to its failures", async ({ page }) => {
  await signInToConsole(page, "developer");
  const { clientId } = await openNewClient(page, "Counted shop", "development", "http://localhost:4000/callback");
  await openSection(page, "Use");
  const refusals = page.getByRole("figure", { name: "Refusals" });
  // Counts are written every ten seconds.
  await expect(async () => {
    await page.reload();
    await expect(refusals).toContainText("1", { timeout: 10_000 });
  }).toPass();
  await expect(page.getByRole("figure", { name: "Tokens" })).toContainText("Nothing in this range");
  await page.getByRole("button", { name: "Show numbers" }).click();
  const numbers = page.getByRole("region", { name: "Tokens by grant, sign-ins and refusals" });
  await expect(numbers.getByRole("row")).toHaveCount(2);
  await expectAccessible(page);
  await refusals.getByRole("link", { name: "Refusals" }).click();
  await expect(page).toHaveURL((url) => url.pathname === "/failures" && url.searchParams.get("clientId") === clientId);
});
