import { execute, valuesOf } from "./database.ts";
import { createUser } from "./people.ts";
import { expect, expectAccessible, openConsole, test } from "./stage.ts";

const CROWD = 200;

/** Rows of a page of the list. */
const PAGE = 50;

test("CO-84 bulk-disable-200: everybody who matches is disabled, with a verdict for each", async ({ page }) => {
  const run = `crowd-${Date.now()}`;
  const person = (i: number) => {
    const name = `${run}-${String(i).padStart(3, "0")}`;
    return [name, `${name}@example.com`, name, "user", 1_700_000_000 + i, "operator"];
  };
  await execute(`INSERT INTO users (id, email, name, role, created_at, registered_by) ${valuesOf(CROWD, person)}`);
  await openConsole(page, "admin", `/users?query=${run}`);
  const table = page.getByRole("table", { name: "Users" });
  for (let shown = PAGE; shown < CROWD; shown += PAGE) {
    await expect(table.getByRole("link")).toHaveCount(shown);
    await page.getByRole("button", { name: "Load more" }).click();
  }
  await expect(table.getByRole("link")).toHaveCount(CROWD);
  await table.getByRole("checkbox", { name: "Select all on this page" }).check();
  const bar = page.getByRole("region", { name: "Selection" });
  await expect(bar).toContainText(`${CROWD} on this page`);
  await bar.getByRole("button", { name: "Disable" }).click();
  const dialog = page.getByRole("dialog", { name: "Disable users" });
  await dialog.getByRole("button", { name: `Disable ${CROWD} users` }).click();
  await expect(dialog.getByText(`${CROWD} done, 0 failed`)).toBeVisible({ timeout: 60_000 });
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(table.getByText("Disabled")).toHaveCount(CROWD);
});

test("CO-81 saved-view: a developer shares the filters of a list, and a viewer opens them", async ({
  page,
  browser,
  watched,
}) => {
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
