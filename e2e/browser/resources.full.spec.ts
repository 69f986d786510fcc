import { expect, expectAccessible, openConsole, test } from "./stage.ts";

test("CO-02 CO-59 a viewer reads API resources and changes nothing", async ({ page }) => {
  await openConsole(page, "viewer", "/resources");
  await page.getByRole("main").getByRole("link", { name: "Stock", exact: true }).click();
  await expect(page.getByRole("textbox", { name: "Name", exact: true })).toHaveAttribute("readonly", "");
  await expect(page.getByRole("button", { name: /Save|Remove|Turn off/ })).toHaveCount(0);
  await expectAccessible(page);
});
