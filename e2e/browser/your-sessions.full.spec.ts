import { createUser } from "./people.ts";
import { expect, expectAccessible, openConsole, test } from "./stage.ts";

test("CO-89 your sessions: this one is marked, and another one can be ended", async ({ page, browser, watched }) => {
  const name = `at-two-places-${Date.now()}`;
  await createUser(name, { role: "viewer" });
  const elsewhere = await browser.newContext();
  watched(elsewhere);
  const other = await elsewhere.newPage();
  await openConsole(other, name);

  await openConsole(page, name);
  await page.getByRole("button", { name: /^Account menu of/ }).click();
  await page.getByRole("menuitem", { name: "Your sessions" }).click();
  const dialog = page.getByRole("dialog", { name: "Your sessions" });
  const rows = dialog.getByRole("row").filter({ has: page.getByRole("cell") });
  await expect(rows.filter({ hasText: "this session" })).toHaveCount(1);
  await expect(rows.filter({ hasText: "this session" }).getByRole("button")).toHaveCount(0);
  await expectAccessible(page);

  await dialog.getByRole("button", { name: "End all others" }).click();
  await expect(rows).toHaveCount(1);
  await expect(dialog.getByRole("button", { name: "End all others" })).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await other.reload();
  await expect(other.getByRole("button", { name: "Sign in", exact: true })).toBeVisible();
  await elsewhere.close();
});
