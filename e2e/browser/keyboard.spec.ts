import { adminUrl, expect, expectAccessible, openConsole, test } from "./stage.ts";

test("CO-74 the palette finds pages, objects and the page's actions, by keyboard, and gives the focus back", async ({
  page,
}) => {
  await openConsole(page, "developer", "/users");
  const button = page.getByRole("button", { name: "Search", exact: true });
  await button.press("Enter");
  const field = page.getByRole("combobox", { name: "Search pages, objects and actions" });
  await expect(field).toBeFocused();
  await expect(page.getByRole("option", { name: "Deliveries" })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(button).toBeFocused();

  await page.keyboard.press("Control+k");
  await field.fill("application web");
  await expect(page.getByRole("option", { name: "Application web", exact: true })).toHaveAttribute(
    "aria-selected",
    "true",
  );
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Application web" })).toBeVisible();

  await page.keyboard.press("Control+k");
  await field.fill("webhook prov");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${adminUrl}/webhooks`);

  await page.keyboard.press("Control+k");
  await expect(page.getByRole("option", { name: "Application web Applications" })).toBeVisible();
});

test("CO-75 CO-92 keyboard-only-story: from one list to another, to a row, and back, without a pointer", async ({
  page,
}) => {
  await openConsole(page, "admin", "/applications");
  await page.getByRole("main").focus();
  await page.keyboard.press("g");
  await page.keyboard.press("u");
  await expect(page).toHaveURL(`${adminUrl}/users`);
  const search = page.getByLabel("Search users");
  await expect(search).toBeVisible();

  await page.keyboard.press("/");
  await expect(search).toBeFocused();
  await page.keyboard.type("lifetimes@example.com gjkx?");
  await expect(search).toHaveValue("lifetimes@example.com gjkx?");
  await search.fill("lifetimes@example.com");
  const rows = page.getByRole("table", { name: "Users" }).getByRole("link");
  await expect(rows).toHaveCount(1);
  await search.press("Tab");
  await page.keyboard.press("j");
  await expect(rows).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL((url) => url.pathname.startsWith("/users/"));

  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(help).toContainText("Next and previous row");
  await expectAccessible(page);
  await help.getByRole("switch", { name: "Single-key shortcuts" }).press("Space");
  await page.keyboard.press("Escape");
  await expect(help).toHaveCount(0);
  await page.keyboard.press("g");
  await page.keyboard.press("a");
  await page.keyboard.press("?");
  await page.keyboard.press("Control+k"); // with a modifier, so still on
  await expect(page.getByRole("combobox", { name: "Search pages, objects and actions" })).toBeFocused();
  await expect(help).toHaveCount(0);
  expect(new URL(page.url()).pathname).toMatch(/^\/users\//);
});
