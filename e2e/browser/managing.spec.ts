import type { Locator, Page } from "@playwright/test";
import { openMailbox } from "../harness/mailbox.ts";
import { expect, expectAccessible, issuer, openConsole, test } from "./stage.ts";

/** Fails if `toast` covers `control` when the page is scrolled to its end, on a desktop or a phone. */
async function expectUncovered(page: Page, control: Locator, toast: Locator): Promise<void> {
  const desktop = page.viewportSize();
  for (const size of [desktop, { width: 390, height: 844 }]) {
    if (size !== null) await page.setViewportSize(size);
    await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
    const [above, below] = await Promise.all([control.boundingBox(), toast.boundingBox()]);
    expect((above?.y ?? 0) + (above?.height ?? 0), `at ${size?.width}px`).toBeLessThanOrEqual(below?.y ?? 0);
  }
  if (desktop !== null) await page.setViewportSize(desktop);
}

test("UM-01 an admin invites a user, who accepts and is then disabled", async ({ page, browser, watched }) => {
  const email = `made-${Date.now()}@example.com`;
  const password = "a password of the tests";
  await openConsole(page, "admin", "/users");
  await page.getByRole("button", { name: "Invite user" }).click();
  const dialog = page.getByRole("dialog", { name: "Invite user" });
  await dialog.getByLabel("Email").fill(email);
  await dialog.getByLabel("Role").selectOption({ label: "Viewer" });
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Invite", exact: true }).click();
  await page.getByRole("tab", { name: "Invitations" }).click();
  await expect(page.getByText(email, { exact: true })).toBeVisible(); // the toast has it, too
  await expectAccessible(page);

  const context = await browser.newContext();
  watched(context);
  const made = await context.newPage();
  const { link } = await (await openMailbox(issuer)).next(email, "invitation");
  await made.goto(link ?? "");
  await made.getByLabel("Name").fill("Made Here");
  await made.getByLabel("Password").fill(password);
  await made.getByRole("button", { name: "Accept invitation" }).click();
  await expect(made).toHaveURL((url) => url.pathname.startsWith("/account"));

  await page.getByRole("tab", { name: "Users" }).click();
  await page.getByLabel("Search users").fill(email);
  await page.getByRole("table").getByText(email).click();
  await expect(page.getByRole("heading", { name: "Made Here" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Revoke tokens" }).click();
  await page.getByRole("dialog").getByLabel("Reason").fill("A test");
  await page.getByRole("dialog").getByRole("button", { name: "Revoke tokens" }).click();
  const toast = page.getByRole("status").filter({ hasText: "All tokens revoked." });
  await toast.hover(); // keeps it open
  await expect(page.getByRole("dialog")).toHaveCount(0); // while it closes, its overlay takes the next click
  await expectUncovered(page, page.getByRole("button", { name: "Disable" }), toast);
  await page.getByRole("button", { name: "Disable" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Disable" }).click();
  await expect(page.getByRole("button", { name: "Enable" })).toBeVisible();
  await expect(page.getByText("“A test”")).toBeVisible();

  await made.goto(`${issuer}/account`);
  await expect(made).toHaveURL((url) => url.pathname === "/sign-in");
  await context.close();
});
