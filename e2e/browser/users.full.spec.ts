import { adminUrl, expect, openConsole, test } from "./stage.ts";

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
