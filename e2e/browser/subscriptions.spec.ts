import { expect, expectAccessible, fillSignIn, issuer, test } from "./stage.ts";

/** `npm run test:full` delivers subscriptions beside this test, and the team sees them all. */
const othersDeliver = process.env["GATEHOUSE_TEST_FULL"] === "1";

test("D9 the subscriptions page asks for a sign-in, and says what to do while there are none", async ({ page }) => {
  await page.goto(`${issuer}/subscriptions`);
  await expect(page).toHaveURL(`${issuer}/sign-in?next=%2Fsubscriptions`);
  await fillSignIn(page, othersDeliver ? "notes" : "viewer");
  await expect(page).toHaveURL(`${issuer}/subscriptions`);
  await expect(page).toHaveTitle("Subscriptions · Gatehouse");
  if (othersDeliver) {
    await expect(page.getByText("You have no subscription yet")).toBeVisible();
  } else {
    await expect(page.getByRole("heading", { name: "No subscriptions yet" })).toBeVisible();
    await expect(page.getByText("trigger stripe customer.subscription.updated")).toBeVisible();
  }
  await expectAccessible(page);
});
