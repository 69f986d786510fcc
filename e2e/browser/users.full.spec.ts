import { readFile } from "node:fs/promises";
import { createUser } from "./people.ts";
import { adminUrl, expect, expectAccessible, openConsole, test } from "./stage.ts";

test("UM-08 only admins export users", async ({ page }) => {
  await openConsole(page, "viewer", "/users");
  await expect(page.getByRole("table")).toBeVisible();
  await expect(page.getByRole("button", { name: "Export" })).toHaveCount(0);
  const cookie = (await page.context().cookies(adminUrl)).map(({ name, value }) => `${name}=${value}`).join("; ");
  const post = (form: Record<string, string>) =>
    fetch(`${adminUrl}/api/exports/users`, {
      method: "POST",
      headers: { cookie, "sec-fetch-site": "same-origin" },
      body: new URLSearchParams(form),
      redirect: "manual",
    });
  expect((await post({ ticket: "t", format: "xml" })).status).toBe(400);
  expect((await post({ ticket: "t", format: "csv" })).status).toBe(403);
});

test("UM-08 the users that match the filters are downloaded as CSV and JSON Lines, by keyboard", async ({ page }) => {
  await openConsole(page, "admin", "/users?role=developer");
  await page.getByRole("button", { name: "Export" }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Export users" });
  await expect(dialog).toContainText("the users that match the filters");
  await expectAccessible(page);
  const downloaded = async () => {
    const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]);
    return { name: download.suggestedFilename(), text: await readFile(await download.path(), "utf8") };
  };
  await expect(dialog.getByRole("button", { name: "Download" })).toBeFocused();
  const csv = await downloaded();
  expect(csv.name).toMatch(/^users-\d{8}T\d{6}\.csv$/);
  expect(csv.text).toMatch(/^id,email,name,role,/);
  expect(csv.text).toContain("developer@example.com");
  expect(csv.text).not.toMatch(/[\r\n].*,(user|admin|viewer),|argon2/);

  await page.getByRole("button", { name: "Export" }).click();
  await dialog.getByText("JSON Lines", { exact: true }).click();
  await dialog.getByRole("button", { name: "Download" }).focus();
  const lines = (await downloaded()).text.trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line).role)).toEqual(lines.map(() => "developer"));
});

test("UM-02 RG-10 users are counted, found by their last sign-in, deleted by an admin and taken back", async ({
  page,
}) => {
  const name = `Never Here ${Date.now().toString(36)}`;
  const email = await createUser(`never-here-${Date.now()}`, { displayName: name });
  await openConsole(page, "admin", `/users?${new URLSearchParams({ lastSignIn: "never", query: email })}`);
  await expect(page.getByText(/^\d[\d,]* people who can sign in through this server/)).toBeVisible();
  await expect(page.getByRole("button", { name: /Signed in is Never/ })).toBeVisible();
  const row = page.getByRole("table", { name: "Users" }).getByRole("row").filter({ hasText: email });
  await expect(row).toContainText("Never");
  await row.getByRole("link").click();

  await page.getByRole("button", { name: "Delete", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: `Delete ${name}?` });
  await dialog.getByLabel(`Type ${email} to confirm`).fill(email);
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(page.getByText(`${name} will be deleted.`)).toBeVisible();
  await expect(page.getByText("Deletion requested").first()).toBeVisible();

  await page.getByRole("button", { name: "Keep user" }).click();
  await page
    .getByRole("dialog", { name: `Keep ${name}?` })
    .getByRole("button", { name: "Keep user" })
    .click();
  await expect(page.getByText(`${name} is kept.`)).toBeVisible();
  await expect(page.getByRole("button", { name: "Delete", exact: true })).toBeVisible();

  await page.goto(`${adminUrl}/users?${new URLSearchParams({ lastSignIn: "some", query: email })}`);
  await expect(page.getByRole("heading", { name: "No users found" })).toBeVisible();
});
