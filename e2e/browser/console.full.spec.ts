import { expect, expectAccessible, issuer, openConsole, openSection, test } from "./stage.ts";

/** The list with one of the fixture's applications; other tests add more than a page has. */
const WEB = "/applications?query=Application web";

test("CO-98 phone-390: every page is accessible in light and dark mode and fits a phone", async ({ page }) => {
  await fetch(`${issuer}/api/webhooks/stripe`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  });
  await openConsole(page, "admin", WEB);

  await expect(page.getByRole("button", { name: "New application" })).toBeVisible();
  await expect(page.getByText("Application web", { exact: true })).toBeVisible();
  await expectAccessible(page);

  await page.getByText("Application web", { exact: true }).click();
  await page.getByRole("tab", { name: "Production" }).click();
  await expect(page.getByTestId("client-id")).toHaveText("web");
  for (const section of ["Overview", "Settings", "Secrets", "History"]) {
    await openSection(page, section);
    await expectAccessible(page);
  }

  await page.getByRole("tab", { name: "Staging" }).click();
  await page.getByRole("button", { name: "Register client" }).click();
  await expect(page.getByLabel("Redirect URI", { exact: true })).toBeVisible();
  await expect(page.getByRole("checkbox", { name: "notes:read" })).toHaveAccessibleDescription(/Read your notes/);
  await expectAccessible(page);

  await page.getByRole("link", { name: "Deliveries", exact: true }).click();
  await page.getByRole("banner").getByLabel("Environment").selectOption({ label: "All" });
  await expect(page.getByRole("table").getByText("signature_missing").first()).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("table").getByText("signature_missing").first().click();
  await page.getByRole("link", { name: "Open page" }).click();
  await expect(page).toHaveURL((url) => url.pathname.startsWith("/deliveries/"));
  await expect(page.getByText("signature_missing").first()).toBeVisible();
  await expectAccessible(page);

  await page.getByRole("link", { name: "Users", exact: true }).click();
  await page.getByLabel("Search users").fill("admin@example.com"); // other tests add more users than one page has
  await expect(page.getByRole("table").getByText("admin@example.com", { exact: true })).toBeVisible();
  await expectAccessible(page);
});

test("CO-02 role-tour: a viewer sees no controls that change anything", async ({ page }) => {
  await openConsole(page, "viewer", WEB);
  await expect(page.getByText("Application web", { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "New application" })).toHaveCount(0);
  await page.getByText("Application web", { exact: true }).click();
  await page.getByRole("tab", { name: "Production" }).click();
  await expect(page.getByTestId("client-id")).toBeVisible();
  for (const section of ["Overview", "Settings", "Secrets"]) {
    await openSection(page, section);
    for (const name of ["Disable", "Save changes", "Add secret", "Retire", "Remove"])
      await expect(page.getByRole("button", { name })).toHaveCount(0);
  }
});

test("CO-02 role-tour: a developer sees why production is read-only and can register a staging client", async ({
  page,
}) => {
  await openConsole(page, "developer", WEB);
  await page.getByText("Application web", { exact: true }).click();
  await page.getByRole("tab", { name: "Production" }).click();
  await expect(page.getByText("Only admins can manage production.").first()).toBeVisible();
  await page.getByRole("tab", { name: "Staging" }).click();
  await expect(page.getByRole("button", { name: "Register client" })).toBeEnabled();
});

test("delivery filters are stored in the URL and survive a reload", async ({ page }) => {
  await fetch(`${issuer}/api/webhooks/svix`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  });
  await openConsole(page, "viewer", "/deliveries?provider=svix&environment=all");
  const table = page.getByRole("table");
  await expect(table.getByText("signature_missing").first()).toBeVisible();
  await expect(table.getByText("stripe")).toHaveCount(0);
  await page.reload();
  await expect(table.getByText("signature_missing").first()).toBeVisible();
  expect(new URL(page.url()).searchParams.get("provider")).toBe("svix");
});

test("a search is stored in the URL, keeps every keystroke, and is cleared by the navigation link", async ({
  page,
}) => {
  await openConsole(page, "viewer");
  const search = page.getByLabel("Search applications");
  await search.pressSequentially("application shopper", { delay: 60 });
  await expect(page).toHaveURL((url) => url.searchParams.get("query") === "application shopper");
  await expect(search).toHaveValue("application shopper");
  await expect(page.getByRole("main").locator("tbody tr")).toHaveCount(1);

  await page.reload();
  await expect(search).toHaveValue("application shopper");
  await page.getByRole("link", { name: "Applications", exact: true }).click();
  await expect(search).toHaveValue("");
  await expect(page.getByRole("main").locator("tbody tr")).not.toHaveCount(1);
});
