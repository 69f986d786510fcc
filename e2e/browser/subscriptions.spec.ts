import { expect, expectAccessible, fillSignIn, issuer, test } from "./stage.ts";

test("D9 the subscriptions page asks for a sign-in, and says what to do while there are none", async ({ page }) => {
  await page.goto(`${issuer}/subscriptions`);
  await expect(page).toHaveURL(`${issuer}/sign-in?next=%2Fsubscriptions`);
  await fillSignIn(page, "viewer");
  await expect(page).toHaveURL(`${issuer}/subscriptions`);
  await expect(page).toHaveTitle("Subscriptions · Gatehouse");
  await expect(page.getByRole("heading", { name: "No subscriptions yet" })).toBeVisible();
  await expect(page.getByText("trigger stripe customer.subscription.updated")).toBeVisible();
  await expectAccessible(page);
});
