import { expect, expectAccessible, openConsole, test } from "./stage.ts";

// The refused saves answer 400, and 409.
test.use({ provoked: [400, 409] });

test("CO-69 a test mail goes to the admin's own address and is followed", async ({ page }) => {
  await openConsole(page, "admin", "/settings/mail");
  await expectAccessible(page);
  await page.getByRole("button", { name: /^Send to / }).click();
  await expect(page.getByRole("region", { name: "Test mail" }).getByRole("status")).toContainText("It’s in the mailbox");
  await page.getByRole("region", { name: "Test mail" }).getByRole("status").getByRole("link", { name: "mailbox" }).click();
  await expect(page.getByText("A test mail from").first()).toBeVisible();
});

test("CO-02 CO-67 only admins see the settings", async ({ page }) => {
  await openConsole(page, "developer", "/settings/registration");
  await expect(page.getByRole("main")).toContainText("This page needs the Admin role");
  await expect(page.getByRole("link", { name: "Settings", exact: true })).toHaveCount(0);
});
