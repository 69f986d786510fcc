import { parse } from "node-html-parser";
import { CHANGES, expectClosed, labelsOf, TOURS } from "./role-tours.ts";
import { adminUrl, expect, expectAccessible, issuer, openConsole, test } from "./stage.ts";

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

test("CO-02 CO-97 role-tour: a viewer's navigation has every page that a viewer can open, and no other opens", async ({
  page,
}) => {
  await openConsole(page, "viewer", "/");
  const links = page.getByRole("navigation", { name: "Main" }).getByRole("listitem").getByRole("link");
  const [viewer] = TOURS;
  expect((await links.allTextContents()).toSorted()).toEqual(labelsOf(viewer).toSorted());
  for (const link of await links.all()) {
    const answer = await page.request.get(adminUrl + (await link.getAttribute("href")));
    const main = parse(await answer.text()).querySelector("main");
    expect([answer.url(), answer.status(), main?.querySelectorAll("h1").length]).toEqual([answer.url(), 200, 1]);
    // What a viewer may never do is not drawn.
    const buttons = main?.querySelectorAll("button").map((button) => button.text.trim()) ?? [];
    expect(buttons.filter((name) => CHANGES.test(name))).toEqual([]);
  }
  await expectClosed(page, viewer);
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
