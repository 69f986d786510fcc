import { readFile } from "node:fs/promises";
import { emailOf, PASSWORD } from "../harness/fixture.ts";
import { gatehouse } from "../harness/gatehouse.ts";
import { execute } from "./database.ts";
import { adminUrl, environment, expect, expectAccessible, openConsole, test } from "./stage.ts";

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

test("CO-43 UM-05 the second factors of a user are reset after their email address is typed; signing them out takes a reason", async ({
  page,
}) => {
  const name = `factors-${Date.now()}`;
  const email = emailOf(name);
  await gatehouse(["user", "create", "--email", email, "--name", name, "--password", PASSWORD], environment);
  await execute(
    `INSERT INTO recovery_codes (hash, user_id, created_at) SELECT 'hash_of_${name}', id, 1700000000 FROM users WHERE email = '${email}'`,
  );
  await openConsole(page, "admin", `/go/${encodeURIComponent(email)}`);
  const danger = page.getByRole("region", { name: "Danger zone" });
  await danger.getByRole("button", { name: "Reset second factors" }).click();
  const dialog = page.getByRole("dialog");
  const reset = dialog.getByRole("button", { name: "Reset second factors" });
  await dialog.getByLabel("Reason").fill("lost phone");
  await expect(reset).toBeDisabled();
  await expectAccessible(page);
  await dialog.getByLabel(`Type ${email} to confirm`).fill(email);
  await reset.click();
  await expect(page.getByText("Second factors removed.")).toBeVisible();

  await page.getByRole("button", { name: "Sign out everywhere" }).click();
  await dialog.getByLabel("Reason").fill("lost laptop");
  await dialog.getByRole("button", { name: "Sign out everywhere" }).click();
  await expect(page.getByText("“lost laptop”")).toBeVisible();
});
