import { readFile } from "node:fs/promises";
import { expect, expectAccessible, openConsole, test } from "./stage.ts";

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
