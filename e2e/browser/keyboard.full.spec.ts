import { expect, expectAccessible, openConsole, test } from "./stage.ts";

test("CO-74 palette-pastes-an-id: a pasted client ID or email address leads to what it names", async ({ page }) => {
  await openConsole(page, "viewer", "/users");
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: "Search pages, objects and actions" });
  await field.fill("web");
  const exact = page.getByRole("option", { name: /^Application web web$/ });
  await expect(exact).toBeVisible();
  await exact.click();
  await expect(page).toHaveURL((url) => url.pathname.startsWith("/applications/"));
  await expect(page.getByTestId("client-id").first()).toHaveText("web");

  await page.keyboard.press("Control+k");
  await field.fill("developer@example.com");
  await page.getByRole("option").filter({ hasText: "developer" }).first().click();
  await expect(page).toHaveURL((url) => url.pathname.startsWith("/users/"));
});

test("CO-84 the reader chooses columns and their order by buttons, density and page size, and they stay", async ({
  page,
}) => {
  await openConsole(page, "viewer", "/users");
  const table = page.getByRole("table", { name: "Users" });
  const heads = () => table.getByRole("columnheader").allTextContents();
  await expect(table).toBeVisible();
  expect((await heads()).map((head) => head.split(" ")[0])).toEqual(["User", "Role", "Status", "Last", "Created"]);

  await page.getByRole("button", { name: "View", exact: true }).click();
  await expectAccessible(page);
  await page.getByRole("checkbox", { name: "Role" }).uncheck();
  await page.getByRole("checkbox", { name: "User ID" }).check();
  await page.getByRole("button", { name: "Move User ID up" }).press("Enter");
  await page.getByText("Compact", { exact: true }).click();
  await page.getByText("25", { exact: true }).click();
  await page.keyboard.press("Escape");
  const chosen = ["User", "Status", "Last", "User", "Created"];
  await expect.poll(async () => (await heads()).map((head) => head.split(" ")[0])).toEqual(chosen);
  await expect(page).toHaveURL((url) => url.searchParams.get("limit") === "25");
  await expectAccessible(page);

  await page.reload();
  await expect.poll(async () => (await heads()).map((head) => head.split(" ")[0])).toEqual(chosen);
  await expect.poll(async () => (await table.getByRole("row").count()) - 1).toBeLessThanOrEqual(25);
});

test("CO-84 a row opens in a new tab like any link, wherever it is clicked; CO-83 its times have an exact title", async ({
  page,
}) => {
  await openConsole(page, "viewer", "/users?query=viewer@example.com");
  const row = page.getByRole("table", { name: "Users" }).getByRole("row").nth(1);
  const time = row.locator("time").last();
  await expect(time).toHaveAttribute("title", /^\d{1,2} \w{3} \d{4}, \d{2}:\d{2}:\d{2} \S+/);
  await expect(time).toHaveAttribute("datetime", /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/);
  await expect(time).toHaveText(/ago|now/);
  const [tab] = await Promise.all([page.context().waitForEvent("page"), row.click({ modifiers: ["Control"] })]);
  await expect(tab).toHaveURL((url) => url.pathname.startsWith("/users/"));
  await tab.close();

  await page.getByRole("button", { name: /^Account menu/ }).click();
  await page.getByRole("menuitem", { name: "UTC" }).click();
  await expect(page.getByRole("columnheader", { name: "Last sign-in UTC" })).toBeVisible();
  await expect(time).toHaveAttribute("title", / UTC$/);
  await row.click();
  await expect(page).toHaveURL((url) => url.pathname.startsWith("/users/"));
});

test("CO-74 the palette starts actions from anywhere: it opens their page with the dialog, and only for roles that may", async ({
  page,
}) => {
  const field = page.getByRole("combobox", { name: "Search pages, objects and actions" });
  const choose = async (text: string, name: string) => {
    await page.keyboard.press("Control+k");
    await field.fill(text);
    await page.getByRole("option", { name, exact: true }).click();
  };
  await openConsole(page, "admin", "/failures");
  for (const [text, name, dialog] of [
    ["create hook", "New webhook endpoint", "New endpoint"],
    ["member", "Invite user", "Invite user"],
    ["rotate", "Rotate signing key", /^Rotate the RS256 key\?$/],
    ["api key", "New API token", "New API token"],
  ] as const) {
    await choose(text, name);
    const opened = page.getByRole("dialog", { name: dialog });
    await expect(opened).toBeVisible();
    await expect(page).toHaveURL((url) => !url.searchParams.has("dialog"));
    await opened.getByRole("button", { name: "Cancel" }).click();
    await expect(opened).toHaveCount(0);
  }
  await choose("theme dark", "Use the dark theme");
  await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", "dark");
  await choose("members", "Users");
  await expect(page.getByRole("heading", { name: "Users", level: 1 })).toBeVisible();
});

test("CO-02 CO-74 the palette offers a viewer nothing that they may not do, a row of the audit log by one digit, and signing out", async ({
  page,
}) => {
  const field = page.getByRole("combobox", { name: "Search pages, objects and actions" });
  await openConsole(page, "viewer", "/failures");
  await page.keyboard.press("Control+k");
  await field.fill("invite user");
  await expect(page.getByText("Nothing found")).toBeVisible();
  await field.fill("1");
  await expect(page.getByRole("option", { name: /^Audit log, row 1 / })).toBeVisible();
  await field.fill("log out");
  await page.getByRole("option", { name: "Sign out", exact: true }).click();
  await expect(page.getByText(/signed out/i).first()).toBeVisible();
});
