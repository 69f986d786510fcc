import { consoleToken, dataOf, mutate, query } from "../harness/trpc.ts";
import { adminUrl, expect, expectAccessible, expectSaved, issuer, openConsole, save, test } from "./stage.ts";

// The refused saves answer 400, and 409.
test.use({ provoked: [400, 409] });

test("CO-69 a test mail goes to the admin's own address and is followed", async ({ page }) => {
  await openConsole(page, "admin", "/settings/mail");
  await expectAccessible(page);
  await page.getByRole("button", { name: /^Send to / }).click();
  await expect(page.getByRole("region", { name: "Test mail" }).getByRole("status")).toContainText(
    "No mail server is set, so it wasn’t sent.",
  );
  await page
    .getByRole("region", { name: "Test mail" })
    .getByRole("status")
    .getByRole("link", { name: "Read it here" })
    .click();
  await expect(page.getByRole("heading", { level: 1, name: "Test mail" })).toBeVisible();
  await expect(page.frameLocator("iframe").getByText("A test mail from").first()).toBeVisible();
  await page.goto(`${adminUrl}/mailbox`);
  await expect(page).toHaveURL(`${adminUrl}/mail`);
});

test("CO-02 CO-67 only admins see the settings", async ({ page }) => {
  await openConsole(page, "developer", "/settings/registration");
  await expect(page.getByRole("main")).toContainText("This page needs the Admin role");
  await expect(page.getByRole("link", { name: "Settings", exact: true })).toHaveCount(0);
});

test("CO-66 CO-67 CO-69 an admin changes settings: they say where they come from, are checked, and apply without a restart", async ({
  page,
}) => {
  await openConsole(page, "admin", "/settings");
  await expect(page).toHaveURL(`${adminUrl}/settings/general`);
  const server = page.getByRole("region", { name: "This server" });
  await expect(server.getByText(issuer, { exact: true })).toBeVisible();
  await expect(server.getByText("Set by GATEHOUSE_ISSUER")).toBeVisible();
  await expectAccessible(page);

  await page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Retention" }).click();
  const days = page.getByRole("textbox", { name: "Audit log" });
  await expect(days).toHaveValue("400 days");
  await days.fill("7");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(days).toHaveAccessibleDescription(/from 30 to 3650/);
  await days.fill("300");
  await expect(page.getByText("Nothing is older than this.")).toBeVisible();
  await expectAccessible(page);
  await save(page);
  await expect(page.getByText("Default: 400 days")).toBeVisible();

  const token = await consoleToken(issuer, "admin");
  const { version } = dataOf<{ version: number }>(await query(issuer, "settings.list", undefined, token));
  dataOf(await mutate(issuer, "settings.change", { values: { GATEHOUSE_AUDIT_DAYS: "350" }, version }, token));

  await page.getByRole("button", { name: "Use the default of Audit log" }).click();
  await page.getByRole("button", { name: "Save changes" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("Keep mine");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await expectSaved(page);
  await expect(days).toHaveValue("400 days");
  await page.reload();
  await expect(days).toHaveValue("400 days");
  await page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "General" }).click();
  await expect(page.getByRole("region", { name: "History" })).toContainText("Changed settings");
  await expectAccessible(page);
});
