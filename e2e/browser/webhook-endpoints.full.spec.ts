import { createHmac } from "node:crypto";
import { emailOf } from "../harness/fixture.ts";
import { gatehouse } from "../harness/gatehouse.ts";
import { ageSignIns } from "./database.ts";
import { createUser } from "./people.ts";
import {
  adminUrl,
  confirmIdentity,
  environment,
  expect,
  expectAccessible,
  issuer,
  openConsole,
  post,
  test,
} from "./stage.ts";
import { addSecret, deliver, fillSecret, SECRET } from "./webhook-endpoints.ts";

test("CO-58 a developer sets an endpoint up for staging: URL, secret, a delivery, settings, and off again", async ({
  page,
}) => {
  const slug = `stripe-staging-${Date.now()}`;
  await openConsole(page, "developer", "/webhooks");
  await expectAccessible(page);
  await page.getByRole("button", { name: "New endpoint" }).click();
  const dialog = page.getByRole("dialog", { name: "New endpoint" });
  await dialog.getByLabel("Provider").selectOption("stripe");
  await dialog.getByLabel("Environment").selectOption("staging");
  await expect(dialog.getByLabel("Environment").getByRole("option", { name: "Production" })).toHaveCount(0);
  await dialog.getByLabel("Last part of the URL").fill(slug);
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Create endpoint" }).click();

  await expect(page.getByTestId("endpoint-url")).toHaveText(`${issuer}/api/webhooks/${slug}`);
  await page.getByRole("button", { name: "Copy URL" }).click();
  await expect(page.getByText("No secrets yet.")).toBeVisible();
  expect(await deliver(slug, SECRET)).toBe(503);

  await addSecret(page, `  ${SECRET}  `);
  const row = page.getByRole("table", { name: "Secrets" }).getByRole("row").filter({ hasText: "5678" });
  await expect(row).toContainText("Never used");
  await expect(page.getByText("White space around the secret was removed.")).toBeVisible();
  expect(await page.content()).not.toContain(SECRET);
  expect(await deliver(slug, SECRET)).toBe(200);
  await expectAccessible(page);

  await page.getByLabel("Tolerance in seconds").fill("60");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Settings saved.")).toBeVisible();

  await page.getByRole("button", { name: "Disable" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Disable" }).click();
  await expect(page.getByText("This endpoint is disabled")).toBeVisible();
  expect(await deliver(slug, SECRET)).toBe(404);
  await page.getByRole("link", { name: "Webhook providers" }).first().click();
  await expect(page.getByRole("row").filter({ hasText: slug })).toContainText("Staging (disabled)");
});

test("CO-58 a custom scheme is described in the form, and a captured delivery is tested before any secret is stored", async ({
  page,
}) => {
  const slug = `crm-${Date.now()}`;
  await openConsole(page, "developer", "/webhooks");
  await page.getByRole("button", { name: "New endpoint" }).click();
  const dialog = page.getByRole("dialog", { name: "New endpoint" });
  await dialog.getByLabel("Provider").selectOption("custom");
  await dialog.getByLabel("Environment").selectOption("development");
  await dialog.getByLabel("Last part of the URL").fill(slug);
  await dialog.getByLabel("Signature header", { exact: true }).fill("x-crm-signature");
  await dialog.getByRole("button", { name: "Create endpoint" }).click();

  await page.getByRole("button", { name: "Test a sample" }).click();
  const body = '{"id":"e1"}';
  const mac = createHmac("sha256", "crm-secret").update(body).digest("hex");
  const section = page.getByRole("region", { name: "Test a sample" });
  await section.getByLabel("Secret").and(page.locator("input")).fill("crm-secret");
  await section.getByLabel("Headers").fill(`x-crm-signature: ${mac}`);
  await section.getByLabel("Body").fill(body);
  await section.getByRole("button", { name: "Check the signature" }).click();
  await expect(page.getByTestId("verdict")).toHaveText(/The signature matches\./);
  await section.getByLabel("Body").fill(`${body} `);
  await section.getByRole("button", { name: "Check the signature" }).click();
  await expect(page.getByTestId("verdict")).toHaveText(/does not match/);
  await expectAccessible(page);
});

test("CO-58 on localhost a provider is set up for development first, under a name that is suggested", async ({
  page,
}) => {
  await openConsole(page, "developer", "/webhooks");
  await page.getByRole("link", { name: "Razorpay" }).click();
  const dialog = page.getByRole("dialog", { name: "New endpoint" });
  await expect(dialog.getByLabel("Provider")).toHaveValue("razorpay");
  await expect(dialog.getByLabel("Environment")).toHaveValue("development");
  const slug = dialog.getByLabel("Last part of the URL");
  await expect(slug).toHaveValue("razorpay-development");
  await dialog.getByLabel("Environment").selectOption("staging");
  await expect(slug).toHaveValue("razorpay-staging");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page).toHaveURL((url) => url.pathname === "/webhooks" && url.search === "");
});

test("CO-53 a test event is sent from the endpoint's page and from the deliveries, and its delivery is linked", async ({
  page,
}) => {
  const slug = `stripe-test-${Date.now()}`;
  await openConsole(page, "developer", "/webhooks");
  await post(page, "webhookEndpoints.create", { slug, provider: "stripe", environment: "development" });
  await page.goto(`${adminUrl}/webhooks/${slug}`);
  await expect(page.getByRole("button", { name: "Send a test event" })).toBeDisabled();
  await addSecret(page, SECRET);
  await page.getByRole("button", { name: "Send a test event" }).click();
  const dialog = page.getByRole("dialog", { name: "Send a test event" });
  await expect(dialog.getByLabel("Endpoint")).toHaveValue(slug);
  await dialog.getByLabel("Event type").selectOption("invoice.paid");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Send test event" }).click();
  await expect(page.getByTestId("test-event")).toContainText(/^Accepted: 200 in \d+ ms/);
  await expectAccessible(page);
  await dialog.getByRole("link", { name: "Open the delivery" }).click();
  await expect(page).toHaveURL((url) => url.pathname.startsWith("/deliveries/"));
  await expect(page.getByText("invoice.paid").first()).toBeVisible();

  await page.goto(`${adminUrl}/deliveries?endpoint=${slug}&dialog=send`);
  await dialog.getByRole("button", { name: "Send test event" }).click();
  await expect(page.getByTestId("test-event")).toContainText(/^Accepted: 200/);
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await expect(page.getByRole("table", { name: "Deliveries" }).locator("tbody tr")).toHaveCount(2);
});

test("CO-53 the doctor's probes of an endpoint are hidden until a filter asks for them", async ({ page }) => {
  const slug = `stripe-probed-${Date.now()}`;
  await openConsole(page, "developer", "/webhooks");
  await post(page, "webhookEndpoints.create", { slug, provider: "stripe", environment: "development" });
  await page.goto(`${adminUrl}/webhooks/${slug}`);
  await addSecret(page, SECRET);
  await expect(page.getByRole("table", { name: "Secrets" })).toContainText("5678");
  await post(page, "doctor.examine", { endpoint: slug });

  await page.goto(`${adminUrl}/deliveries?endpoint=${slug}`);
  const rows = page.getByRole("table", { name: "Deliveries" }).locator("tbody tr");
  await expect(page.getByRole("button", { name: /Endpoint is/ })).toBeVisible();
  await expect(rows).toHaveCount(0);
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  await page.getByRole("button", { name: "Doctor’s probes", exact: true }).click();
  await page.getByRole("button", { name: "Shown", exact: true }).click();
  await expect(page).toHaveURL((url) => url.searchParams.get("probes") === "shown");
  await expect(rows.first()).toBeVisible();
});

test("CO-58 CO-88 production: an old sign-in has to be renewed, and a secret in use ends only with its last four characters", async ({
  page,
}) => {
  const name = `endpoint-admin-${Date.now()}`;
  await createUser(name, { role: "admin" });
  const slug = `stripe-live-${Date.now()}`;
  await gatehouse(["webhook-endpoint", "create", "stripe", slug, "--environment", "production"], environment);
  await openConsole(page, name, `/webhooks/${slug}`);
  await ageSignIns(emailOf(name));
  await page.reload();
  await page.getByRole("button", { name: "Add secret" }).click();
  const confirm = page.getByRole("dialog", { name: "Confirm it’s you" });
  await expectAccessible(page);
  const [tab] = await Promise.all([page.waitForEvent("popup"), confirm.getByRole("link", { name: "Confirm" }).click()]);
  await expect(tab).toHaveURL((url) => url.href.startsWith(`${issuer}/sign-in`));
  await confirmIdentity(tab);
  await fillSecret(page, SECRET);
  const row = page.getByRole("table", { name: "Secrets" }).getByRole("row").filter({ hasText: "5678" });
  await expect(row).toBeVisible();
  expect(await deliver(slug, SECRET)).toBe(200);
  await expect(async () => {
    await page.reload();
    await expect(row).toContainText("In use", { timeout: 10_000 });
  }).toPass();

  await row.getByRole("button", { name: /^End/ }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("When").selectOption("Now");
  const end = dialog.getByRole("button", { name: "End secret in production" });
  await expect(end).toBeDisabled();
  await dialog.getByLabel("Type 5678 to confirm").fill("5678");
  await expectAccessible(page);
  await end.click();
  await expect(row).toContainText("Ended");
  expect(await deliver(slug, SECRET)).toBe(503);
});

test("CO-58 provider-secret-overlap: both secrets are accepted while a provider changes over, and the old one is refused once it has ended", async ({
  page,
}) => {
  const slug = `stripe-overlap-${Date.now()}`;
  const next = "whsec_only_for_tests_9012";
  await openConsole(page, "developer");
  await post(page, "webhookEndpoints.create", { slug, provider: "stripe", environment: "staging" });
  await page.goto(`${adminUrl}/webhooks/${slug}`);
  const row = (lastFour: string) =>
    page.getByRole("table", { name: "Secrets" }).getByRole("row").filter({ hasText: lastFour });
  await addSecret(page, SECRET);
  await expect(row("5678")).toContainText("Never used");
  expect(await deliver(slug, next)).toBe(400);
  await addSecret(page, next);
  await expect(row("9012")).toContainText("Never used");
  expect([await deliver(slug, SECRET), await deliver(slug, next)]).toEqual([200, 200]);
  await expect(async () => {
    await page.reload();
    for (const one of ["5678", "9012"]) await expect(row(one)).not.toContainText("Never used", { timeout: 10_000 });
  }).toPass();

  await row("5678").getByRole("button", { name: /^End/ }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("When").selectOption("Now");
  await dialog.getByLabel("Type 5678 to confirm").fill("5678");
  await dialog.getByRole("button", { name: "End secret", exact: true }).click();
  await expect(row("5678")).toContainText("Ended");
  expect([await deliver(slug, SECRET), await deliver(slug, next)]).toEqual([400, 200]);
  await expectAccessible(page);
});

test("CO-58 a move to production ends the secrets that are not kept; a default endpoint has no other environment", async ({
  page,
}) => {
  const name = `mover-${Date.now()}`;
  await createUser(name, { role: "admin" });
  const slug = `stripe-move-${Date.now()}`;
  const next = "whsec_only_for_tests_9012";
  await openConsole(page, name);
  await post(page, "webhookEndpoints.create", { slug, provider: "stripe", environment: "staging" });
  await page.goto(`${adminUrl}/webhooks/${slug}`);
  const row = (lastFour: string) =>
    page.getByRole("table", { name: "Secrets" }).getByRole("row").filter({ hasText: lastFour });
  await addSecret(page, SECRET);
  await expect(row("5678")).toBeVisible();
  await addSecret(page, next);
  await expect(row("9012")).toBeVisible();
  await page.getByLabel("Environment of its events").selectOption("production");
  await page.getByRole("group", { name: "Secrets to keep" }).getByRole("checkbox", { name: "…9012" }).check();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Save in production" }).click();
  await expect(row("5678")).toContainText("Ended");
  expect([await deliver(slug, SECRET), await deliver(slug, next)]).toEqual([400, 200]);

  await page.goto(`${adminUrl}/webhooks/stripe`);
  await expect(page.getByLabel("Environment of its events")).toBeDisabled();
});

test("CO-02 a viewer sees endpoints and no control that changes them", async ({ page }) => {
  await openConsole(page, "viewer", "/webhooks/stripe");
  await expect(page.getByTestId("endpoint-url")).toHaveText(`${issuer}/api/webhooks/stripe`);
  for (const name of ["Add secret", "Disable", "Save", "Test a sample", "Remove endpoint"])
    await expect(page.getByRole("button", { name })).toHaveCount(0);
  await expectAccessible(page);
});
