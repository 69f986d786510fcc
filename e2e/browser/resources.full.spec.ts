import { expect, expectAccessible, openConsole, save, test } from "./stage.ts";

test("CO-02 CO-59 a viewer reads API resources and changes nothing", async ({ page }) => {
  await openConsole(page, "viewer", "/resources");
  await page.getByRole("main").getByRole("link", { name: "Stock", exact: true }).click();
  await expect(page.getByRole("textbox", { name: "Name", exact: true })).toHaveAttribute("readonly", "");
  await expect(page.getByRole("button", { name: /Save|Remove|Turn off/ })).toHaveCount(0);
  await expectAccessible(page);
});

test.describe("with an identifier that is refused first", () => {
  test.use({ provoked: [400] });
  test("CO-59 an admin registers an API resource, changes it, turns it off and removes it", async ({ page }) => {
    await openConsole(page, "admin", "/resources");
    await page.getByRole("link", { name: "New API resource" }).click();
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("Parcels");
    await page.getByLabel("Identifier").fill("https://parcels.example/");
    await page.getByRole("textbox", { name: "Scope", exact: true }).fill("parcels:read");
    await page.getByLabel("Sentence for users").fill("see your parcels");
    await expect(page.getByRole("figure", { name: "What users read" })).toContainText("see your parcels");
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await expect(page.getByText("must be written as https://parcels.example")).toBeVisible();
    await expectAccessible(page);
    await page.getByLabel("Identifier").fill("https://parcels.example");
    await page.getByRole("button", { name: "Create", exact: true }).click();

    await expect(page).toHaveURL(/\/resources\/https%3A%2F%2Fparcels\.example$/);
    await expect(page).toHaveTitle("Parcels · API resources · Gatehouse Console");
    const main = page.getByRole("main");
    await expect(main).toContainText("Used by 0 clients");
    await page.getByLabel("Token format").selectOption("jwt");
    await save(page, "Save");
    await expectAccessible(page);

    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "Turn off", exact: true }).click();
    await expect(dialog).toContainText("within a second");
    await dialog.getByRole("button", { name: "Turn off Parcels" }).click();
    await expect(page.getByRole("button", { name: "Turn on", exact: true })).toBeVisible();

    await page.getByRole("button", { name: "Remove", exact: true }).click();
    await expect(dialog).toContainText("No client uses this API.");
    await dialog.getByLabel("Type Parcels to confirm").fill("Parcels");
    await dialog.getByRole("button", { name: "Remove Parcels" }).click();
    await expect(page).toHaveURL(/\/resources$/);
    await expect(main.getByRole("link", { name: "Parcels" })).toHaveCount(0);
  });
});
