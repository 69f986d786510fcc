import { createUser } from "./people.ts";

import { expect, expectAccessible, openConsole, test } from "./stage.ts";

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
