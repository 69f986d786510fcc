import { expect, fillSignIn, openConsole, test } from "./stage.ts";
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
