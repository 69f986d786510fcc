import { adminUrl, expect, expectAccessible, openConsole, openSection, registerClient, save, test } from "./stage.ts";

// How every page behaves: copying, toasts, the four states of a list, names that strangers chose.

test("CO-82 a copy button copies the value, and says so to screen readers", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openConsole(page, "viewer");
  await page.goto(`${adminUrl}/go/web`);
  await expect(async () => {
    // The button says so for a moment only.
    await page.getByRole("button", { name: "Copy client ID" }).first().click();
    await expect(page.getByRole("button", { name: "Copied" }).first()).toBeVisible({ timeout: 1_000 });
    await expect(page.locator('[aria-live="polite"]').getByText("Copied", { exact: true }).first()).toBeAttached({ timeout: 1_000 });
  }).toPass();
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe("web");
});

test.describe("with refusals that the test provokes", () => {
  test.use({ provoked: [500, 503] });

  test("CO-79 a change is announced with what has changed; a failure stays, with the id of its request, until it is dismissed", async ({
    page,
  }) => {
    await openConsole(page, "developer");
    const { clientId } = await registerClient(page, { applicationName: `Toast ${Date.now()}` });
    await page.goto(`${adminUrl}/go/${clientId}`);
    await openSection(page, "Settings");
    await page.getByRole("checkbox", { name: "email", exact: true }).check();
    await save(page);
    await expect(page.getByRole("status").filter({ hasText: "Changes saved." })).toBeVisible();

    await page.evaluate(async (id) => {
      const body = JSON.stringify({ clientId: id, enabled: false });
      await fetch("/api/trpc/clients.setEnabled", { method: "POST", headers: { "content-type": "application/json" }, body });
    }, clientId);
    const data = { code: "SERVICE_UNAVAILABLE", httpStatus: 503, requestId: "request-1234" };
    const answer = { error: { message: "The database is unavailable.", code: -32603, data } };
    await page.route("**/api/trpc/clients.setEnabled*", (route) => route.fulfill({ status: 503, json: [answer] }));
    await page.goto(`${adminUrl}/go/${clientId}`);
    const failure = page.getByRole("alert").filter({ hasText: "request-1234" });
    await expect(async () => {
      await page.getByRole("button", { name: "Enable", exact: true }).click(); // does nothing until the page is hydrated
      await expect(failure.first()).toBeVisible({ timeout: 2_000 });
    }).toPass();
    await expect(failure.first().getByRole("button", { name: "Copy" })).toBeVisible();
    await expect(failure.first()).toContainText("The database is unavailable.");
    await expectAccessible(page);
  });

  test("CO-80 a list says whether nothing matches or loading failed, keeps its filters, and tries again", async ({ page }) => {
    await openConsole(page, "viewer", "/users");
    const main = page.getByRole("main");
    const search = main.getByLabel("Search users");
    await expect(main.getByRole("table")).toBeVisible();
    await search.fill("nobody-has-this-name");
    await expect(main.getByRole("heading", { name: "No users found" })).toBeVisible();
    await expect(search).toBeVisible();
    await expectAccessible(page);

    const failure = { message: "Something went wrong.", code: -32603, data: { code: "INTERNAL_SERVER_ERROR", httpStatus: 500 } };
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
    await openConsole(page, "developer");
    const { clientId } = await registerClient(page, { applicationName: `Twice ${Date.now()}` });
    await page.goto(`${adminUrl}/go/${clientId}`);
    await openSection(page, "Settings");
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
  await openConsole(page, "developer");
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

test("CO-86 in forced colours the focus is visible, and reduced motion leaves no animation", async ({ page }) => {
  await openConsole(page, "viewer");
  await page.emulateMedia({ forcedColors: "active", reducedMotion: "reduce" });
  for (const path of ["/applications", "/failures", "/users"]) {
    await page.goto(adminUrl + path);
    await page.getByRole("main").waitFor();
    for (let press = 0; press < 12; press += 1) {
      await page.keyboard.press("Tab");
      const visible = await page.evaluate<boolean>(`(() => {
        const shown = (one) => { const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one); return outlineStyle !== "none" && outlineWidth !== "0px"; };
        let one = document.activeElement;
        if (one === document.body) return true;
        for (let up = 0; one && up < 3; up += 1, one = one.parentElement) if (shown(one)) return true;
        return false;
      })()`);
      expect(visible, `${path}, after ${press + 1} presses of Tab`).toBe(true);
    }
    expect(await page.evaluate("document.getAnimations().filter(({ playState }) => playState === 'running').length")).toBe(0);
  }
});

test("the page behind an open dialog neither scrolls nor moves", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 500 });
  await openConsole(page, "viewer");
  await page.goto(`${adminUrl}/go/web`);
  await openSection(page, "Settings");
  const left = () => page.getByRole("main").evaluate((main) => main.getBoundingClientRect().left);
  const before = await left();
  await page.getByRole("button", { name: "Search" }).first().click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toBeVisible();
  await page.mouse.move(640, 450);
  await page.mouse.wheel(0, 400);
  await page.keyboard.press("PageDown");
  await page.evaluate("new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)))");
  expect(await page.evaluate("scrollY")).toBe(0);
  expect(await left()).toBe(before);

  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await page.mouse.wheel(0, 400);
  await expect.poll(() => page.evaluate("scrollY")).toBeGreaterThan(0);
});
