import { adminUrl, expect, expectAccessible, issuer, openConsole, openSection, test } from "./stage.ts";

/** Buttons that change something. */
const CHANGES = /^(?:Add|Approve|Block|Create|Delete|Disable|Invite|New|Remove|Retire|Rotate|Run)\b/;

/** The list with one of the fixture's applications; other tests add more than a page has. */
const WEB = "/applications?query=Application web";

test("CO-98 phone-390: every page is accessible in light and dark mode and fits a phone", async ({ page }) => {
  await fetch(`${issuer}/api/webhooks/stripe`, { method: "POST", headers: { "content-type": "application/json" }, body: "{}" });
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

test("D12 the browser never sees a token, and requests without a session get 401", async ({ page, context }) => {
  await openConsole(page, "viewer");
  const cookies = await context.cookies(adminUrl);
  expect(cookies.length).toBeGreaterThan(0);
  for (const cookie of cookies.filter(({ name }) => /gatehouse|console|session/i.test(name))) {
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Lax" });
    expect(cookie.value).not.toContain("gat_");
  }
  expect(await page.evaluate("JSON.stringify([Object.values(localStorage), Object.values(sessionStorage)])")).not.toMatch(/g[ar]t_/);
  expect(await page.content()).not.toMatch(/g[ar]t_[A-Za-z0-9_-]{20}/);
  expect((await fetch(`${adminUrl}/api/trpc/applications.list?input=%7B%7D`)).status).toBe(401);
});

const FOR_ALL = [
  ...["Overview", "Applications", "Self-registered", "API resources", "Failures", "Deliveries", "Audit log", "Users"],
  ...["Webhook providers", "Signing keys", "Sign-in providers"],
];
/** What each role has in its navigation besides, and the pages that it cannot open, with the role that they need. */
const TOURS = [
  { role: "viewer", more: [], closed: { "/doctor": "Developer", "/mail": "Admin", "/mailbox": "Admin", "/settings/general": "Admin" } },
  { role: "developer", more: ["Doctor"], closed: { "/mail": "Admin", "/mailbox": "Admin", "/settings/general": "Admin" } },
  { role: "admin", more: ["Doctor", "Mail", "Mailbox", "Settings"], closed: {} },
] as const;

for (const { role, more, closed } of TOURS) {
  test(`CO-02 CO-97 role-tour: the navigation has every page that the role ${role} can open, and no other opens`, async ({ page }) => {
    await openConsole(page, role, "/");
    const navigation = page.getByRole("navigation", { name: "Main" });
    const labels = [...FOR_ALL, ...more];
    const names = await navigation.getByRole("listitem").getByRole("link").allTextContents();
    expect(names.toSorted()).toEqual(labels.toSorted());
    for (const label of labels) {
      const link = navigation.getByRole("link", { name: label, exact: true });
      await link.click();
      await expect(link).toHaveAttribute("aria-current", "page");
      await expect(page.getByRole("main").getByRole("heading", { level: 1 })).toBeVisible();
      await expect(page.getByText(/^This page needs the/)).toHaveCount(0);
      // What a role may never do is not drawn.
      if (role === "viewer") await expect(page.getByRole("main").getByRole("button", { name: CHANGES })).toHaveCount(0);
    }
    for (const [path, needed] of Object.entries(closed)) {
      const response = await page.goto(adminUrl + path);
      expect([path, response?.status()]).toEqual([path, 403]);
      await expect(page.getByRole("heading", { name: `This page needs the ${needed} role` })).toBeVisible();
    }
  });
}

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

test("CO-02 role-tour: a developer sees why production is read-only and can register a staging client", async ({ page }) => {
  await openConsole(page, "developer", WEB);
  await page.getByText("Application web", { exact: true }).click();
  await page.getByRole("tab", { name: "Production" }).click();
  await expect(page.getByText("Only admins can manage production.").first()).toBeVisible();
  await page.getByRole("tab", { name: "Staging" }).click();
  await expect(page.getByRole("button", { name: "Register client" })).toBeEnabled();
});

test("CO-02 role-tour: a user without a console role sees an explanation and can sign out", async ({ page }) => {
  await page.goto(adminUrl);
  await page.getByLabel("Email").fill("trpc@example.com");
  await page.getByLabel("Password").fill("correct horse battery");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByRole("heading", { name: "You don’t have access to the console" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL((url) => url.origin === adminUrl || url.origin === issuer);
});

test("delivery filters are stored in the URL and survive a reload", async ({ page }) => {
  await fetch(`${issuer}/api/webhooks/svix`, { method: "POST", headers: { "content-type": "application/json" }, body: "{}" });
  await openConsole(page, "viewer", "/deliveries?provider=svix");
  const table = page.getByRole("table");
  await expect(table.getByText("signature_missing").first()).toBeVisible();
  await expect(table.getByText("stripe")).toHaveCount(0);
  await page.reload();
  await expect(table.getByText("signature_missing").first()).toBeVisible();
  expect(new URL(page.url()).searchParams.get("provider")).toBe("svix");
});

test("a search is stored in the URL, keeps every keystroke, and is cleared by the navigation link", async ({ page }) => {
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

test("the focus stays where a keyboard user works", async ({ page }) => {
  await openConsole(page, "developer");
  const opener = page.getByRole("button", { name: "New application" });
  await opener.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
  await page.getByRole("button", { name: "Create it without a client" }).press("Enter");
  await expect(page.getByLabel("Name")).toBeFocused();
  await page.getByLabel("Name").fill(`Keyboard app ${Date.now()}`);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL((url) => /^\/applications\/(?!new)/.test(url.pathname));
  await expect(page.getByRole("main")).toBeFocused();

  await page.getByRole("button", { name: "Register client" }).press("Enter");
  await expect(page.getByLabel("Client type")).toBeFocused();
  await page.getByLabel("Redirect URI", { exact: true }).fill("http://localhost:4000/callback");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Done" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByTestId("client-secret")).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("client-secret")).toHaveCount(0);
  await expect(page.getByRole("main")).toBeFocused();
});
