import { adminUrl, expect, expectAccessible, full, issuer, openConsole, test } from "./stage.ts";

/** Buttons that change something. */
const CHANGES = /^(?:Add|Approve|Block|Create|Delete|Disable|Invite|New|Remove|Retire|Rotate|Run)\b/;

test("D12 the browser never sees a token, and requests without a session get 401", async ({ page, context }) => {
  await openConsole(page, "viewer");
  const cookies = await context.cookies(adminUrl);
  expect(cookies.length).toBeGreaterThan(0);
  for (const cookie of cookies.filter(({ name }) => /gatehouse|console|session/i.test(name))) {
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Lax" });
    expect(cookie.value).not.toContain("gat_");
  }
  expect(
    await page.evaluate("JSON.stringify([Object.values(localStorage), Object.values(sessionStorage)])"),
  ).not.toMatch(/g[ar]t_/);
  expect(await page.content()).not.toMatch(/g[ar]t_[A-Za-z0-9_-]{20}/);
  expect((await fetch(`${adminUrl}/api/trpc/applications.list?input=%7B%7D`)).status).toBe(401);
});

const FOR_ALL = [
  "Overview",
  "Applications",
  "Self-registered",
  "API resources",
  "Failures",
  "Deliveries",
  "Audit log",
  "Users",
  "Sign-ins",
  "Webhook providers",
  "Signing keys",
  "Sign-in providers",
];

/** What each role has in its navigation besides, and the pages that it cannot open, with the role that they need. */
const TOURS = [
  {
    role: "viewer",
    more: [],
    closed: { "/doctor": "Developer", "/mail": "Admin", "/settings/general": "Admin" },
  },
  {
    role: "developer",
    more: ["Doctor"],
    closed: { "/mail": "Admin", "/settings/general": "Admin" },
  },
  { role: "admin", more: ["Doctor", "Mail", "Settings"], closed: {} },
] as const;

for (const { role, more, closed } of full ? TOURS : TOURS.slice(0, 1)) {
  test(`CO-02 CO-97 role-tour: the navigation has every page that the role ${role} can open, and no other opens`, async ({
    page,
  }) => {
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
    for (const path of Object.keys(closed)) {
      const answer = await page.request.get(adminUrl + path);
      expect([path, answer.status()]).toEqual([path, 403]);
    }
    const [one] = Object.entries(closed);
    if (one === undefined) return;
    await page.goto(adminUrl + one[0]);
    await expect(page.getByRole("heading", { name: `This page needs the ${one[1]} role` })).toBeVisible();
  });
}

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
