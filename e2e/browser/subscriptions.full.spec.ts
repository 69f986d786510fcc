import { createHmac } from "node:crypto";
import { WEBHOOK_SECRETS } from "../harness/fixture.ts";
import { expect, expectAccessible, fillSignIn, issuer, test } from "./stage.ts";
import { subscription } from "./subscriptions.ts";

// The example of webhook handlers in packages/product: from a signed event of Stripe to a page.

/** Delivers an event as Stripe does, now. */
async function deliver(event: object): Promise<void> {
  const body = JSON.stringify(event);
  const time = Math.floor(Date.now() / 1000);
  const signature = createHmac("sha256", WEBHOOK_SECRETS.stripe).update(`${time}.${body}`).digest("hex");
  const headers = { "content-type": "application/json", "stripe-signature": `t=${time},v1=${signature}` };
  const answer = await fetch(`${issuer}/api/webhooks/stripe`, { method: "POST", body, headers });
  expect(answer.status).toBe(200);
}

test("D9 the subscriptions page shows what the webhook handlers stored", async ({ page }) => {
  await page.goto(`${issuer}/subscriptions`);
  await fillSignIn(page, "viewer");
  await expect(page.getByRole("heading", { name: "Subscriptions", level: 1 })).toBeVisible();

  const created = Math.floor(Date.now() / 1000);
  const event = (id: string, type: string, object: object) => ({
    id,
    type,
    created,
    object: "event",
    data: { object },
  });
  await deliver(
    event("evt_page_1", "customer.subscription.updated", subscription("sub_page_1", "active", "Team, yearly")),
  );
  await deliver(event("evt_page_2", "customer.subscription.updated", subscription("sub_page_2", "past_due", "Solo")));
  const invoice = { id: "in_page_1", parent: { subscription_details: { subscription: "sub_page_1" } } };
  await deliver(event("evt_page_3", "invoice.paid", invoice));

  const team = page.getByRole("listitem").filter({ hasText: "sub_page_1" });
  await expect(async () => {
    await page.reload();
    await expect(team).toContainText("Payments1", { timeout: 500 });
  }).toPass();
  await expect(team).toContainText("Team, yearly");
  await expect(team).toContainText("Active");
  await expect(team).toContainText("Renews Dec 31, 2030");
  await expect(page.getByRole("listitem").filter({ hasText: "sub_page_2" })).toContainText("Past due");
  await expectAccessible(page);
});

test("a user without a role in the team sees only subscriptions of their own", async ({ page }) => {
  await page.goto(`${issuer}/subscriptions`);
  await fillSignIn(page, "notes");
  await expect(page.getByText("You have no subscription yet")).toBeVisible();
  await expect(page.getByText("sub_page_1")).toHaveCount(0);
});
