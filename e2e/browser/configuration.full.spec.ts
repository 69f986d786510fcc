import { adminUrl, expect, openConsole, test } from "./stage.ts";

// A file without the values of its variables answers 400, a stale plan 409.
test.use({ provoked: [400, 409] });

test("CO-71 an admin takes the configuration along, without secrets", async ({ page }) => {
  await openConsole(page, "admin", "/settings/configuration");
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Export" }).click()]);
  expect(download.suggestedFilename()).toBe("gatehouse.json");
  await page.goto(`${adminUrl}/settings/configuration`);
  await expect(page.getByRole("heading", { level: 1, name: "Configuration" })).toBeVisible();
});
