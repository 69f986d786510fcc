import { adminUrl, expect, expectAccessible, openConsole, registerClient, signInToConsole, test } from "./stage.ts";

// How every page behaves: copying, buttons, the four states of a list, names that strangers chose.

test("CO-82 a copy button copies the value, and says so to screen readers", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openConsole(page, "viewer", "/go/web");
  await expect(async () => {
    // The button says so for a moment only.
    await page.getByRole("button", { name: "Copy client ID" }).first().click();
    await expect(page.getByRole("button", { name: "Copied" }).first()).toBeVisible({ timeout: 1_000 });
    await expect(page.locator('[aria-live="polite"]').getByText("Copied", { exact: true }).first()).toBeAttached({
      timeout: 1_000,
    });
  }).toPass();
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe("web");
});

test.describe("with refusals that the test provokes", () => {
  test.use({ provoked: [500, 503] });

  test("CO-80 a list says whether nothing matches or loading failed, keeps its filters, and tries again", async ({
    page,
  }) => {
    await openConsole(page, "viewer", "/users");
    const main = page.getByRole("main");
    const search = main.getByLabel("Search users");
    await expect(main.getByRole("table")).toBeVisible();
    await search.fill("nobody-has-this-name");
    await expect(main.getByRole("heading", { name: "No users found" })).toBeVisible();
    await expect(search).toBeVisible();
    await expectAccessible(page);

    const failure = {
      message: "Something went wrong.",
      code: -32603,
      data: { code: "INTERNAL_SERVER_ERROR", httpStatus: 500 },
    };
    await page.route("**/api/trpc/users.list*", (route) => route.fulfill({ status: 500, json: [{ error: failure }] }));
    await search.fill("nobody-else");
    const failed = main.getByRole("alert").filter({ hasText: "Couldn’t load this" });
    await expect(failed).toContainText("Something went wrong.");
    await expect(search).toHaveValue("nobody-else");
    await expectAccessible(page);
    await page.unroute("**/api/trpc/users.list*");
    await failed.getByRole("button", { name: "Try again" }).click();
    await expect(main.getByRole("heading", { name: "No users found" })).toBeVisible();
    await expect(failed).toHaveCount(0);
  });

  test("CO-77 a second press sends nothing, and the first one shows that it is under way", async ({ page }) => {
    await signInToConsole(page, "developer");
    const { applicationId } = await registerClient(page, { applicationName: `Twice ${Date.now()}` });
    await page.goto(`${adminUrl}/applications/${applicationId}?tab=settings`);
    let sent = 0;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/api/trpc/clients.update*", async (route) => {
      sent += 1;
      await held;
      await route.continue();
    });
    await page.getByRole("checkbox", { name: "email", exact: true }).check();
    const save = page.getByRole("button", { name: "Save changes" });
    await save.click();
    await expect(save).toHaveAttribute("data-loading", "true");
    await save.click({ force: true });
    await page.getByRole("main").press("Control+Enter");
    release();
    await expect(page.getByText("Changes saved.")).toBeVisible();
    expect(sent).toBe(1);
  });
});

test("CO-95 a name that a stranger chose is text: cut, isolated from the direction of what surrounds it, and never markup or a link", async ({
  page,
}) => {
  await signInToConsole(page, "developer");
  const stamp = Date.now().toString(36);
  const name = `\u05d0${stamp} <b>https://evil.example</b>`;
  await registerClient(page, { applicationName: name });
  await page.goto(`${adminUrl}/applications?query=${encodeURIComponent(`\u05d0${stamp}`)}`);
  const row = page.getByRole("table").getByRole("link", { name });
  await expect(row.locator("bdi")).toHaveText(name);
  await row.click();
  await expect(page.getByRole("heading", { level: 1 }).locator("bdi")).toHaveText(name);
  await expect(page.locator('a[href*="evil.example"]')).toHaveCount(0);
});
