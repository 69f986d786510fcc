import { expect, fillSignIn, issuer, test } from "./stage.ts";

// The example of webhook handlers in packages/product: from a signed event of Stripe to a page.

test("a user without a role in the team sees only subscriptions of their own", async ({ page }) => {
  await page.goto(`${issuer}/subscriptions`);
  await fillSignIn(page, "notes");
  await expect(page.getByText("You have no subscription yet")).toBeVisible();
  await expect(page.getByText("sub_page_1")).toHaveCount(0);
});
