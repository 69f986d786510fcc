import { adminUrl, expect, expectAccessible, openConsole, test } from "./stage.ts";

test("CO-09 CO-10 CO-17 the console opens on what needs somebody and what happened, by range and environment", async ({
  page,
}) => {
  await openConsole(page, "admin", "/");
  await expect(page).toHaveTitle("Overview · Gatehouse Console");
  const health = page.getByRole("region", { name: "Health" });
  await expect(health.getByText(/^All well$|things? needs? you$/)).toBeVisible();
  await health.getByRole("button", { name: /^Show \d+ checks$/ }).click();
  await expect(health.getByText("The database reads and writes.")).toBeVisible();
  await health.getByRole("button", { name: "Check again" }).click();
  await expect(page.getByText(/^Updated /)).toBeVisible();

  // The steps of a new installation replace the charts until a client got a token, which depends on the other tests.
  const dismiss = page.getByRole("button", { name: "Dismiss" });
  if (await dismiss.isVisible()) await dismiss.click();
  await expect(page.getByRole("heading", { name: "Getting started" })).toHaveCount(0);
  const signIns = page.getByRole("figure", { name: "Sign-ins" });
  await expect(signIns).toBeVisible();
  await page.getByRole("radiogroup", { name: "Range" }).getByText("7 d").click();
  await expect(page).toHaveURL((url) => url.searchParams.get("range") === "7d");
  await page.getByRole("button", { name: "Show numbers" }).click();
  await expect(page.getByRole("region", { name: "Tokens by grant" })).toBeVisible();
  await page.getByRole("banner").getByLabel("Environment").selectOption({ label: "Staging" });
  await expect(page).toHaveURL(
    (url) => url.searchParams.get("environment") === "staging" && url.searchParams.get("range") === "7d",
  );
  await page.reload();
  await expect(signIns).toBeVisible();
  // A chart leads to the list that shows what it counts; no list shows sign-ins.
  await expect(signIns.getByRole("link")).toHaveCount(0);
  const tokens = page.getByRole("figure", { name: "Tokens" }).getByRole("link");
  await expect(tokens).toHaveAttribute("href", "/applications?environment=staging&sort=lastToken");
  await expectAccessible(page);
});

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
