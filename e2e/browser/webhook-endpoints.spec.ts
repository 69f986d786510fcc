import { expect, expectAccessible, issuer, openConsole, test } from "./stage.ts";
import { addSecret, deliver, SECRET } from "./webhook-endpoints.ts";

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
