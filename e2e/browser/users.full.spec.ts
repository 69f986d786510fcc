import { readFile } from "node:fs/promises";
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
