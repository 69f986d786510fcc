import { adminUrl, expect, expectAccessible, fillSignIn, test } from "./stage.ts";
import { ended, openSettings, openSignIn, save, tolerance } from "./unsaved-input.ts";

// What a page gets whose session has ended, or whose browser somebody else uses now.
test.use({ provoked: [401, 412] });

test("CO-87 session-ends-mid-form: what was typed stays, and is saved after signing in in another tab", async ({
  page,
  context,
}) => {
  await openSettings(page, `mid-form-${Date.now()}`);
  await tolerance(page).fill("90");
  await context.clearCookies();

  await save(page).click();
  await expect(ended(page)).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(ended(page)).toHaveCount(0);
  await expect(page.getByText("Sign in to save it.")).toBeVisible();
  await expectAccessible(page);
  await expect(tolerance(page)).toHaveValue("90");

  await save(page).click();
  await fillSignIn(await openSignIn(page), "developer");
  await expect(page.getByText("Settings saved.")).toBeVisible();
  await expect(page.getByText("Sign in to save it.")).toHaveCount(0);
  await page.reload();
  await expect(tolerance(page)).toHaveValue("90");
});

test("CO-76 leaving a changed form asks: by a link, by Back, and when the tab closes", async ({ page }) => {
  await openSettings(page, `leaving-${Date.now()}`);
  await page.getByRole("link", { name: "Users", exact: true }).click();
  await expect(page).toHaveURL(`${adminUrl}/users`);
  await page.goBack();
  await tolerance(page).fill("94");

  const question = page.getByRole("dialog", { name: "Discard unsaved changes?" });
  await page.getByRole("link", { name: "Users", exact: true }).click();
  await expectAccessible(page);
  await question.getByRole("button", { name: "Keep editing" }).click();
  await expect(tolerance(page)).toHaveValue("94");

  await page.evaluate("void history.forward()");
  await expect(question).toBeVisible();
  await question.getByRole("button", { name: "Keep editing" }).click();
  await expect(tolerance(page)).toHaveValue("94");

  const [browsersOwn] = await Promise.all([
    page.waitForEvent("dialog"),
    page.evaluate("void setTimeout(() => location.reload())"),
  ]);
  expect(browsersOwn.type()).toBe("beforeunload");
  await browsersOwn.dismiss();
  await expect(tolerance(page)).toHaveValue("94");

  await page.getByRole("link", { name: "Users", exact: true }).click();
  await question.getByRole("button", { name: "Discard changes" }).click();
  await expect(page).toHaveURL(`${adminUrl}/users`);
});
