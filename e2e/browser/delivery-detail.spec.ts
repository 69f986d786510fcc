import type { Page } from "@playwright/test";
import { expectAlive } from "../harness/alive.ts";
import { ageSignIns, withDatabase } from "./database.ts";
import { createStagingEndpoint, deliver, PRODUCTION, panel } from "./delivery-detail.ts";
import { adminUrl, confirmIdentity, expect, expectAccessible, test } from "./stage.ts";

test.beforeAll(createStagingEndpoint);

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
  const [tab] = await Promise.all([page.waitForEvent("popup"), dialog.getByRole("link", { name: "Confirm" }).click()]);
  await confirmIdentity(tab, "first admin of the tests");
  await expect(panel(page).getByText("jenny@example.com")).toBeVisible();
  await page.getByRole("button", { name: "Hide payload" }).click();
  await expect(page.getByText("jenny@example.com")).toHaveCount(0);
  const rows = await withDatabase(({ db }) => db.select().from(db.tables.audit));
  expect(rows.filter(({ object, action }) => object === id && action === "webhook.reveal")).toMatchObject([
    { actorName: "Admin" },
  ]);
  await page.getByRole("tab", { name: "History" }).click();
  await expect(page.getByRole("tabpanel")).toContainText("Revealed webhook");
  await expectAccessible(page);
});

async function signInAsFirstAdmin(page: Page): Promise<void> {
  await page.getByLabel("Email").fill("first-admin@example.com");
  await page.getByLabel("Password").fill("first admin of the tests");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}
