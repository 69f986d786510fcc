import { adminUrl, expect, expectAccessible, openConsole, test } from "./stage.ts";

test("CO-15 the steps of a new installation can be dismissed, and the palette brings them back", async ({ page }) => {
  await openConsole(page, "viewer", "/?getting-started=1");
  const steps = page.getByRole("region", { name: "Getting started" });
  await expect(steps.getByText("Add an application")).toBeVisible();
  await expect(steps.getByText(/^\d of 8 done$/)).toBeVisible();
  await expectAccessible(page);
  await steps.getByRole("button", { name: "Dismiss" }).click();
  await expect(steps).toHaveCount(0);
  await page.goto(adminUrl);
  await expect(page.getByRole("heading", { name: "Overview", level: 1 })).toBeVisible();
  await expect(steps).toHaveCount(0);
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search pages, objects and actions" }).fill("getting st");
  await page.getByRole("option", { name: "Getting started" }).click();
  await expect(page).toHaveURL(/getting-started=1/);
  await expect(steps).toBeVisible();
});
