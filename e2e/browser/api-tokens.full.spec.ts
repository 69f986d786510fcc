import { adminUrl, expect, openConsole, test } from "./stage.ts";

// The first form that is sent has no scope.
test.use({ provoked: [400] });

test("CO-02 CO-70 only admins see the API tokens", async ({ page }) => {
  await openConsole(page, "developer");
  await page.goto(`${adminUrl}/settings/api-tokens`);
  await expect(page.getByRole("heading", { level: 1 })).not.toHaveText("API tokens");
});
