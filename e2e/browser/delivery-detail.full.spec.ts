import { createHmac } from "node:crypto";
import { findDeliveryDetail } from "@gatehouse/console/deliveries/detail/queries";
import { withDatabase } from "./database.ts";
import { createStagingEndpoint, deliver, freshId, PRODUCTION, panel, STAGING, tab } from "./delivery-detail.ts";
import { adminUrl, expect, expectAccessible, openConsole, test } from "./stage.ts";

test.beforeAll(createStagingEndpoint);

test("CO-53 CO-43 CO-66 a payload is deleted after its event’s id was typed, and the delivery says by whom", async ({
  page,
}) => {
  const eventId = freshId();
  const id = await deliver(STAGING, { id: eventId });
  await openConsole(page, "developer", `/deliveries/${id}`);
  await expect(panel(page).getByText("jenny@example.com")).toBeVisible();
  await page.getByRole("button", { name: "Delete payload" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete this payload?" });
  await expect(dialog).toContainText("its handlers can’t run again");
  const act = dialog.getByRole("button", { name: "Delete payload" });
  await expect(act).toBeDisabled();
  await expectAccessible(page);
  await dialog.getByLabel(`Type ${eventId} to confirm`).fill(eventId);
  await act.click();

  await expect(panel(page)).toContainText("Test developer deleted the payload");
  await expect(page.getByText("jenny@example.com")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Run again" })).toBeDisabled();
  await expect(page.getByRole("button", { name: "Copy as curl" })).toHaveCount(0);
  await expectAccessible(page);
  await tab(page, "History").click();
  await expect(panel(page)).toContainText("Deleted the payload of webhook");
  const stored = await withDatabase(({ db }) => findDeliveryDetail(db, id));
  expect(stored?.delivery).toMatchObject({ body: null, eventId });
});

test("a delivery as curl is signed with a test secret, which a local server accepts", async ({ page }) => {
  const id = await deliver(STAGING);
  await openConsole(page, "developer", `/deliveries/${id}`);
  await page.getByRole("button", { name: "Copy as curl" }).click();
  const dialog = page.getByRole("dialog", { name: "Send this delivery to a local server" });
  const secret = (await dialog.getByTestId("test-secret").textContent()) ?? "";
  const command = (await dialog.getByRole("region", { name: "command" }).textContent()) ?? "";
  await expectAccessible(page);
  expect(command).not.toContain(STAGING.secret);
  const [, time = "", signature] = /t=(\d+),v1=([0-9a-f]{64})/.exec(command) ?? [];
  const [, body = ""] = /--data-raw '([^']+)'/.exec(command) ?? [];
  expect(createHmac("sha256", secret).update(`${time}.${body}`).digest("hex")).toBe(signature);
});

test("why a delivery failed: the secret of staging, and a line break after the secret", async ({ page }) => {
  const staging = await deliver({ slug: PRODUCTION.slug, secret: STAGING.secret });
  await openConsole(page, "viewer", `/deliveries/${staging}`);
  const why = page.getByRole("region", { name: "Why it failed" });
  await expect(why).toContainText("signed with the staging secret “Sandbox” (…4242)");
  await expect(why).toContainText("Stripe retries for another");
  await expect(why.getByRole("link", { name: "Open the endpoint stripe" })).toHaveAttribute("href", "/webhooks/stripe");
  await expectAccessible(page);

  const newline = await deliver({ slug: PRODUCTION.slug, secret: `${PRODUCTION.secret}\n` });
  await page.goto(`${adminUrl}/deliveries/${newline}`);
  await expect(why).toContainText("line break");
  expect(await page.content()).not.toContain(PRODUCTION.secret);
});

test("CO-02 a viewer sees no payload and no action; a developer sees why production cannot be run again", async ({
  page,
  browser,
  watched,
}) => {
  const id = await deliver(PRODUCTION);
  await openConsole(page, "viewer", `/deliveries/${id}`);
  await expect(page.getByText("Your role can’t see payloads.")).toBeVisible();
  for (const name of [/Copy as curl/, /Run again/, /Reveal/])
    await expect(page.getByRole("button", { name })).toHaveCount(0);
  await expectAccessible(page);

  const context = await browser.newContext({ reducedMotion: "reduce" });
  watched(context);
  const developer = await context.newPage();
  await openConsole(developer, "developer", `/deliveries/${id}`);
  await expect(developer.getByText("Only admins can reveal them.")).toBeVisible();
  await expect(developer.getByRole("button", { name: "Run again in production" })).toBeDisabled();
  await expect(developer.getByTitle("Only admins can run handlers again in production.")).toBeVisible();
  await context.close();
});

test("running an event again shows how it went, in place and in the attempts", async ({ page }) => {
  const id = await deliver(STAGING, { type: "invoice.paid" });
  await openConsole(page, "developer", `/deliveries/${id}?tab=attempts`);
  await expect(panel(page).getByText("Succeeded")).toHaveCount(1);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Run again" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Run again" });
  await expect(dialog).toContainText("The provider isn’t contacted");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Run handlers" }).press("Enter");
  await expect(dialog.getByRole("status")).toHaveText("Every handler succeeded.");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(panel(page).getByText("Succeeded")).toHaveCount(2);
  await expect(panel(page).getByText("Run again by Test developer")).toBeVisible();
  await expect(page.getByRole("list", { name: "Timeline" })).toContainText("run again");
});

test("a failed handler shows its error, its stack and the next try to developers, and no error to viewers", async ({
  page,
  browser,
  watched,
}) => {
  // Not a subscription, so the handler fails
  const id = await deliver(STAGING, { type: "customer.subscription.updated" });
  await openConsole(page, "developer", `/deliveries/${id}?tab=attempts`);
  await expect(panel(page).getByText("Failed, next try")).toBeVisible();
  await panel(page).getByText("Stack").first().click();
  await expect(panel(page).locator("pre").first()).toContainText("at ");
  await expectAccessible(page);

  const context = await browser.newContext({ reducedMotion: "reduce" });
  watched(context);
  const viewer = await context.newPage();
  await openConsole(viewer, "viewer", `/deliveries/${id}?tab=attempts`);
  await expect(panel(viewer).getByText("First try")).toBeVisible();
  await expect(panel(viewer).getByText("Stack")).toHaveCount(0);
  await context.close();
});

test("a duplicate says why it came again, and leads to the first delivery", async ({ page }) => {
  const event = { id: freshId() };
  const first = await deliver(STAGING, event);
  const second = await deliver(STAGING, event);
  await openConsole(page, "viewer", `/deliveries/${second}?tab=related`);
  await expect(panel(page)).toContainText("Stripe");
  await expect(panel(page).getByRole("table", { name: "Deliveries of this event" }).getByRole("row")).toHaveCount(2);
  await expectAccessible(page);
  await page.getByRole("link", { name: "The first delivery" }).click();
  await expect(page).toHaveURL((url) => url.pathname === `/deliveries/${first}`);
});

test("CO-53 every tab of a delivery works by keyboard, survives a reload, and is accessible", async ({ page }) => {
  const id = await deliver(STAGING);
  await openConsole(page, "developer", `/deliveries/${id}`);
  await expect(page.getByRole("heading", { level: 1, name: "invoice.finalized" })).toBeVisible();
  const timeline = page.getByRole("list", { name: "Timeline" });
  for (const step of ["Received", "Verified", "Stored", "Answered 200"])
    await expect(timeline.getByText(step, { exact: true })).toBeVisible();
  await expect(timeline).toContainText("“Sandbox” …4242");

  await expect(panel(page).getByText("jenny@example.com")).toBeVisible();
  await page.getByLabel("Search payload").fill("li_1");
  await expect(panel(page).getByText("1 of 1")).toBeVisible();
  await page.getByRole("button", { name: "Fold line 1", exact: true }).click();
  await expect(panel(page).getByText("jenny@example.com")).toBeHidden();
  await page.getByLabel("Search payload").press("Enter");
  await expect(panel(page).getByText("jenny@example.com")).toBeVisible();
  await panel(page).getByText("Raw", { exact: true }).click();
  await expect(panel(page).getByText('"amount_paid":4200')).toBeVisible();
  await expectAccessible(page);

  await tab(page, "Payload").focus();
  for (const [name, text] of [
    ["Headers", "stripe-signature"],
    ["Signature", "HMAC-SHA256"],
    ["Attempts", "No handler wanted this event type"],
    ["Related", "This one"],
  ] as const) {
    await page.keyboard.press("ArrowRight");
    await expect(tab(page, name)).toBeFocused();
    await expect(tab(page, name)).toHaveAttribute("aria-selected", "true");
    await expect(panel(page).getByText(text).first()).toBeVisible();
    await expect(page).toHaveURL((url) => url.searchParams.get("tab") === name.toLowerCase());
    await expectAccessible(page);
  }
  await page.reload();
  await expect(tab(page, "Related")).toHaveAttribute("aria-selected", "true");
});
