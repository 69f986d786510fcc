import { adminUrl, expect, expectAccessible, openConsole, openSection, registerClient, save, test } from "./stage.ts";

// How every page behaves: toasts, forced colours, what is behind a dialog.

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
    expect(
      await page.evaluate("document.getAnimations().filter(({ playState }) => playState === 'running').length"),
    ).toBe(0);
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

test.describe("with a refusal that the test provokes", () => {
  test.use({ provoked: [503] });

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
      await fetch("/api/trpc/clients.setEnabled", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
      });
    }, clientId);
    const data = { code: "SERVICE_UNAVAILABLE", httpStatus: 503, requestId: "request-1234" };
    const answer = { error: { message: "The database is unavailable.", code: -32603, data } };
    await page.route("**/api/trpc/clients.setEnabled*", (route) => route.fulfill({ status: 503, json: [answer] }));
    await page.goto(`${adminUrl}/go/${clientId}`);
    const failure = page.getByRole("alert").filter({ hasText: "request-1234" });
    await expect(async () => {
      // Does nothing until the page is hydrated
      await page.getByRole("button", { name: "Enable", exact: true }).click();
      await expect(failure.first()).toBeVisible({ timeout: 2_000 });
    }).toPass();
    await expect(failure.first().getByRole("button", { name: "Copy" })).toBeVisible();
    await expect(failure.first()).toContainText("The database is unavailable.");
    await expectAccessible(page);
  });
});
