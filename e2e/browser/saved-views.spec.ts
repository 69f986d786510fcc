import { createUser } from "./people.ts";
import { expect, expectAccessible, openConsole, test } from "./stage.ts";

test("CO-81 saved-view: a developer shares the filters of a list, and a viewer opens them", async ({ page, browser, watched }) => {
  const name = `Developers without a factor ${Date.now()}`;
  await openConsole(page, "developer", "/users?role=developer&secondFactor=none");
  const views = page.getByRole("button", { name: "Views", exact: true });
  await views.click();
  await page.getByRole("button", { name: "Save this view" }).click();
  const dialog = page.getByRole("dialog", { name: "Save this view" });
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByLabel("Share with everybody who can open the console").check();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await expect(dialog).toHaveCount(0);

  const context = await browser.newContext();
  watched(context);
  const viewer = await context.newPage();
  await openConsole(viewer, "viewer", "/users");
  await viewer.getByRole("button", { name: "Views", exact: true }).click();
  const link = viewer.getByRole("link", { name });
  await expect(link).toBeVisible();
  await expectAccessible(viewer);
  await expect(viewer.getByRole("button", { name: `Remove view ${name}` })).toHaveCount(0);
  await link.click();
  await expect(viewer).toHaveURL((url) => url.search === "?role=developer&secondFactor=none");
  await context.close();

  await views.click();
  await page.getByRole("button", { name: `Remove view ${name}` }).click();
  await expect(page.getByRole("link", { name })).toHaveCount(0);
});

test("CO-78 CO-84 bulk: an admin disables several users, undoes it, and is told who is left out", async ({ page }) => {
  const run = `bulk-${Date.now()}`;
  const names = [1, 2, 3].map((number) => `${run}-${number}`);
  for (const name of names) await createUser(name);
  await openConsole(page, "admin", `/users?query=${run}`);
  const table = page.getByRole("table", { name: "Users" });
  await expect(table.getByRole("link")).toHaveCount(3);
  await table.getByRole("checkbox", { name: "Select all on this page" }).check();
  const bar = page.getByRole("region", { name: "Selection" });
  await expect(bar).toContainText("3 on this page");
  await expectAccessible(page);
  await bar.getByRole("button", { name: "Disable" }).click();
  const dialog = page.getByRole("dialog", { name: "Disable users" });
  await dialog.getByRole("button", { name: "Disable 3 users" }).click();
  await expect(dialog.getByText("3 done, 0 failed")).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Undo" }).click();
  await expect(dialog.getByText("3 undone, 0 failed")).toBeVisible();
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(table.getByText("Active")).toHaveCount(3);

  await table.getByRole("checkbox", { name: "Select all on this page" }).check();
  await bar.getByRole("button", { name: "Disable" }).click();
  await dialog.getByRole("button", { name: "Disable 3 users" }).click();
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(table.getByText("Disabled")).toHaveCount(3);

  await table.getByRole("checkbox", { name: "Select all on this page" }).check();
  await bar.getByRole("button", { name: "Disable" }).click();
  await expect(dialog.getByText("Already disabled.")).toHaveCount(3);
  await expect(dialog.getByRole("button", { name: "Disable 0 users" })).toBeDisabled();
});
