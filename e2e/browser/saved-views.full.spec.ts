import { execute, valuesOf } from "./database.ts";
import { expect, openConsole, test } from "./stage.ts";

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
