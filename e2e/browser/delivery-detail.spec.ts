import { createHmac, randomBytes } from "node:crypto";
import { createSeal, sha256 } from "@gatehouse/auth";
import { findDeliveryDetail, openDatabase } from "@gatehouse/db";
import type { Page } from "@playwright/test";
import { expectAlive } from "../harness/alive.ts";
import { WEBHOOK_SECRETS } from "../harness/fixture.ts";
import { ageSignIns } from "./database.ts";
import { adminUrl, environment, expect, expectAccessible, issuer, openConsole, test } from "./stage.ts";

const STAGING = { slug: "stripe-staging", secret: "whsec_of_staging_4242" };
const PRODUCTION = { slug: "stripe", secret: WEBHOOK_SECRETS.stripe };

async function withDatabase<T>(use: (database: Awaited<ReturnType<typeof openDatabase>>) => Promise<T>): Promise<T> {
  const database = await openDatabase(environment["DATABASE_URL"] ?? "");
  try {
    return await use(database);
  } finally {
    await database.close();
  }
}

/** Configures an endpoint of Stripe in staging. */
test.beforeAll(() =>
  withDatabase(async ({ handle }) => {
    const { webhookEndpoints, webhookSecrets } = handle.tables;
    const seal = createSeal(environment["GATEHOUSE_SECRET"] ?? "", randomBytes);
    const endpoint = { slug: STAGING.slug, provider: "stripe", environment: "staging", settings: {}, createdAt: 1_700_000_000 } as const;
    await handle.db.insert(webhookEndpoints).values(endpoint).onConflictDoNothing();
    const secret = {
      id: "staging-secret",
      endpoint: STAGING.slug,
      kind: "signing",
      name: "Sandbox",
      hint: STAGING.secret.slice(-4),
    } as const;
    const sealed = { sealed: seal.seal("webhook secret", STAGING.secret), hash: sha256(STAGING.secret), createdAt: 1_700_000_000 };
    await handle.db
      .insert(webhookSecrets)
      .values({ ...secret, ...sealed })
      .onConflictDoNothing();
  }),
);

type Endpoint = { slug: string; secret: string };

const freshId = () => `evt_detail_${randomBytes(6).toString("hex")}`;

/** Sends an event as Stripe does, and returns its delivery's id. No handler wants the default type. */
async function deliver({ slug, secret }: Endpoint, { id = freshId(), type = "invoice.finalized" } = {}): Promise<string> {
  const object = { id: `in_${id}`, amount_paid: 4200, customer_email: "jenny@example.com", lines: { data: [{ id: "li_1" }] } };
  const body = JSON.stringify({ id, object: "event", type, created: 1_767_225_600, data: { object } });
  const time = Math.floor(Date.now() / 1000);
  const signature = createHmac("sha256", secret).update(`${time}.${body}`).digest("hex");
  const headers = { "content-type": "application/json", "stripe-signature": `t=${time},v1=${signature}` };
  const response = await fetch(`${issuer}/api/webhooks/${slug}`, { method: "POST", headers, body });
  return response.headers.get("gatehouse-delivery-id") ?? "";
}

const tab = (page: Page, name: string) => page.getByRole("tab", { name, exact: true });
const panel = (page: Page) => page.getByRole("tabpanel");

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

test("CO-56 CO-66 CO-88 a production payload is masked; revealing it asks for a new sign-in if the last one is long ago", async ({
  page,
}) => {
  const id = await deliver(PRODUCTION);
  await page.goto(`${adminUrl}/deliveries/${id}`);
  await signInAsFirstAdmin(page);
  await expect(panel(page).getByText("•••").first()).toBeVisible();
  await expectAlive(page);
  await expect(page.getByText("jenny@example.com")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Copy payload" })).toHaveCount(0);

  await ageSignIns("first-admin@example.com");
  await page.getByRole("button", { name: "Reveal payload" }).click();
  const dialog = page.getByRole("dialog", { name: "Confirm it’s you" });
  await expect(dialog).toBeVisible();
  await expectAccessible(page);
  await expect(page.getByText("jenny@example.com")).toHaveCount(0);
  const [tab] = await Promise.all([page.waitForEvent("popup"), dialog.getByRole("link", { name: "Sign in again" }).click()]);
  await signInAsFirstAdmin(tab);
  await expect(panel(page).getByText("jenny@example.com")).toBeVisible();
  await page.getByRole("button", { name: "Hide payload" }).click();
  await expect(page.getByText("jenny@example.com")).toHaveCount(0);
  const rows = await withDatabase(({ handle }) => handle.db.select().from(handle.tables.audit));
  expect(rows.filter(({ object, action }) => object === id && action === "webhook.reveal")).toMatchObject([{ actorName: "Admin" }]);
  await page.getByRole("tab", { name: "History" }).click();
  await expect(page.getByRole("tabpanel")).toContainText("Revealed webhook");
  await expectAccessible(page);
});

test("CO-53 CO-43 CO-66 a payload is deleted after its event’s id was typed, and the delivery says by whom", async ({ page }) => {
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
  const stored = await withDatabase(({ handle }) => findDeliveryDetail(handle, id));
  expect(stored?.delivery).toMatchObject({ body: null, eventId });
});

async function signInAsFirstAdmin(page: Page): Promise<void> {
  await page.getByLabel("Email").fill("first-admin@example.com");
  await page.getByLabel("Password").fill("first admin of the tests");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

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
  for (const name of [/Copy as curl/, /Run again/, /Reveal/]) await expect(page.getByRole("button", { name })).toHaveCount(0);
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
  const id = await deliver(STAGING, { type: "customer.subscription.updated" }); // not a subscription, so the handler fails
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
