import { expect, expectAccessible, fillSignIn, openConsole, test } from "./stage.ts";
import { createDeveloper, openSettings, openSignIn, save, tolerance } from "./unsaved-input.ts";

// What a page gets whose session has ended, or whose browser somebody else uses now.
test.use({ provoked: [401, 412] });

test("CO-87 other-person-signs-in: the page is reloaded and nothing is sent", async ({ page, context }) => {
  const [name, other] = [`first-person-${Date.now()}`, `other-person-${Date.now()}`];
  await createDeveloper(name);
  await createDeveloper(other);
  await openSettings(page, name, name);
  const initial = await tolerance(page).inputValue();
  const showsOther = () => expect(page.getByRole("button", { name: `Account menu of ${other}` })).toBeVisible();

  await tolerance(page).fill("91");
  await context.clearCookies();
  await save(page).click();
  await fillSignIn(await openSignIn(page), other);
  await showsOther();
  await expect(tolerance(page)).toHaveValue(initial);
  // Nothing is left to load: a request without a session would ask for a sign-in at once.
  await expect(page.getByRole("link", { name: "Created webhook endpoint" })).toBeVisible();

  // Without the dialog: somebody signs in in another tab while this form is open.
  await tolerance(page).fill("92");
  await context.clearCookies();
  const second = await context.newPage();
  await openConsole(second, name);
  await save(page).click();
  await expect(page.getByRole("button", { name: `Account menu of ${name}` })).toBeVisible();
  await expect(tolerance(page)).toHaveValue(initial);
});

test("CO-87 offline: a banner, one attempt, and the input stays", async ({ page, context }) => {
  await openSettings(page, `offline-${Date.now()}`);
  await tolerance(page).fill("93");
  const failed: string[] = [];
  page.on("requestfailed", (request) => failed.push(request.url()));
  await context.setOffline(true);
  await expect(page.getByText("You’re offline", { exact: true })).toBeVisible();
  await expectAccessible(page);

  await save(page).click();
  await expect(page.getByText("You’re offline. Nothing was sent.")).toBeVisible();
  await page.getByRole("link", { name: "Users", exact: true }).click();
  await expect(tolerance(page)).toHaveValue("93");
  expect(failed.filter((url) => url.includes("webhookEndpoints.update"))).toHaveLength(1);

  await context.setOffline(false);
  await expect(page.getByText("You’re offline", { exact: true })).toHaveCount(0);
  await save(page).click();
  await expect(page.getByText("Settings saved.")).toBeVisible();
});
