import { adminUrl, expect, expectAccessible, openConsole, test } from "./stage.ts";

test("OP-79 the status answers whether it is well, worst first, and says what to do", async ({ page }) => {
  await openConsole(page, "admin", "/status");
  await expect(page.getByRole("status").filter({ hasText: /^(All well|\d+ (failed|warnings?))/ })).toBeVisible();
  const rows = page.getByRole("list", { name: "Checks" }).getByRole("listitem");
  const levels = (await rows.allTextContents()).map((text) => /^(?:Failed|Warning|Fine)/.exec(text)?.[0]);
  const rank = ["Failed", "Warning", "Fine"];
  expect(levels).toEqual(levels.toSorted((a, b) => rank.indexOf(a ?? "") - rank.indexOf(b ?? "")));
  const rowOf = (title: string) => rows.filter({ has: page.getByText(title, { exact: true }) });
  await expect(rowOf("Version")).toContainText(/^FineVersionGatehouse \S+ on Node/);

  // The installation of these tests has no backup.
  const backups = rowOf("Backups");
  await expect(backups).toContainText("Warning");
  await expect(backups.getByText("docs/operations.md#gatehousebackupold")).toBeVisible();
  await expectAccessible(page);
});

test("OP-79 a status that cannot be read again says so, and keeps what was seen", async ({ page }) => {
  await openConsole(page, "admin", "/status");
  await page.route(/\/api\/trpc\/status\.get/, (route) => route.abort());
  await page.getByRole("button", { name: "Check again" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Checking again failed" })).toBeVisible();
  await expect(page.getByRole("list", { name: "Checks" })).toBeVisible();
  await page.unroute(/\/api\/trpc\/status\.get/);
  await page.getByRole("button", { name: "Check again" }).click();
  await expect(page.getByText("Checking again failed")).toHaveCount(0);
});

test("OP-79 the status is not for developers", async ({ page }) => {
  await openConsole(page, "developer");
  expect((await page.goto(`${adminUrl}/status`))?.status()).toBe(403);
});
