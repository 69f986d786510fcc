import { adminUrl, expect, expectAccessible, openConsole, test } from "./stage.ts";

test("CO-15 the steps of a new installation can be dismissed, and the palette brings them back", async ({ page }) => {
  await openConsole(page, "viewer", "/?getting-started=1");
  const steps = page.getByRole("region", { name: "Getting started" });
  await expect(steps.getByText("Add an application")).toBeVisible();
  await expect(steps.getByText(/^\d of 8 done$/)).toBeVisible();
  await expectAccessible(page);
  await steps.getByRole("button", { name: "Dismiss" }).click();
  await expect(steps).toHaveCount(0);
  await page.goto(adminUrl);
  await expect(page.getByRole("heading", { name: "Overview", level: 1 })).toBeVisible();
  await expect(steps).toHaveCount(0);
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search pages, objects and actions" }).fill("getting st");
  await page.getByRole("option", { name: "Getting started" }).click();
  await expect(page).toHaveURL(/getting-started=1/);
  await expect(steps).toBeVisible();
});

test("CO-02 CO-09 a viewer is told what is wrong, and not to do what only others may", async ({ page }) => {
  await openConsole(page, "viewer", "/?getting-started=1");
  const steps = page.getByRole("region", { name: "Getting started" });
  await expect(steps.getByText("Invite a second admin")).toBeVisible();
  await expect(steps.getByRole("link")).toHaveCount(0);
  const health = page.getByRole("region", { name: "Health" });
  await expect(health.getByText(/^All well$|things? needs? attention$/)).toBeVisible();
  await expect(health.getByRole("link", { name: "Invite an admin" })).toHaveCount(0);
});

test.describe("with a clock that the test sets", () => {
  test.use({ isolated: true });

  test("CO-17 the overview is read every 30 seconds, not in a hidden tab, and old numbers stay meanwhile", async ({
    page,
  }) => {
    await page.clock.install();
    await openConsole(page, "admin", "/");
    const numbers = page.getByRole("heading", { name: "Why requests failed" });
    await expect(numbers).toBeVisible();
    const asked: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("overview.get")) asked.push(request.url());
    });
    const show = (state: "hidden" | "visible") =>
      page.evaluate(`(() => {
        Object.defineProperty(document, "visibilityState", { configurable: true, get: () => "${state}" });
        document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
      })()`);

    await show("hidden");
    for (let minute = 0; minute < 2; minute += 1) await page.clock.runFor("01:00");
    await page.evaluate(`fetch("/healthz").then(({ status }) => status)`); // later than any request of the two minutes
    expect(asked).toEqual([]);

    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route("**/api/trpc/**", async (route) => {
      await held;
      await route.continue();
    });
    await show("visible");
    await page.clock.runFor("00:31");
    await expect.poll(() => asked.length).toBeGreaterThan(0);
    await expect(numbers).toBeVisible();
    await expect(page.getByText(/^Updated \d+ (s|min) ago/)).toBeVisible();
    answer();
    await expect(page.getByText(/^Updated now/)).toBeVisible();
  });
});
