import { deliver, deliverMany, freshType, open, rows } from "./deliveries.ts";

import { adminUrl, expect, expectAccessible, signInToConsole, test } from "./stage.ts";

test("CO-53 filters are chips: they change the URL, Back takes one off, and × removes it", async ({ page }) => {
  const type = freshType("chips");
  await deliver(type);
  await deliver(type, { secret: "whsec_forged" });
  await open(page, "viewer", `eventType=${type}`);
  await expect(rows(page)).toHaveCount(2);

  const filters = page.getByRole("search", { name: "Filter deliveries" });
  await filters.getByRole("button", { name: "Filter", exact: true }).click();
  await page.getByRole("button", { name: "Result", exact: true }).click();
  await page.getByRole("button", { name: "Rejected", exact: true }).click();
  await expect(filters.getByRole("button", { name: "Result is Rejected" })).toBeVisible();
  await expect(rows(page)).toHaveCount(1);
  expect(new URL(page.url()).searchParams.get("outcome")).toBe("rejected");

  await page.goBack();
  await expect(rows(page)).toHaveCount(2);
  await page.goForward();
  await expect(rows(page)).toHaveCount(1);
  await filters.getByRole("button", { name: "Remove filter: Result" }).click();
  await expect(rows(page)).toHaveCount(2);
  await page.getByLabel("Environment").selectOption("staging");
  await expect(page.getByRole("heading", { name: "No deliveries found" })).toBeVisible();
  await expectAccessible(page);
});

test("CO-54 live-tail-holds-place: live rows join at the top, wait while the reader is further down, and pausing keeps their number", async ({
  page,
}) => {
  const type = freshType("live");
  await deliverMany(type, 40);
  await open(page, "viewer", `eventType=${type}`);
  await expect(rows(page)).toHaveCount(40);
  const live = page.getByRole("button", { name: "Live", exact: true });
  await live.click();
  await expect(live).toHaveAttribute("aria-pressed", "true");

  const joined = await deliver(type);
  await expect(rows(page)).toHaveCount(41);
  await expect(rows(page).first()).toContainText(joined.slice(-6));

  await rows(page).last().scrollIntoViewIfNeeded();
  await deliverMany(type, 2);
  const waiting = page.getByRole("button", { name: "2 new" });
  await expect(waiting).toBeVisible();
  await expect(rows(page)).toHaveCount(41);
  await live.click();
  await expect(waiting).toBeVisible();
  await expectAccessible(page);

  await waiting.click();
  await expect(rows(page)).toHaveCount(43);
  await expect(waiting).toHaveCount(0);
});

test("a row opens beside the list; J and K walk, Escape closes, a link opens its page", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const type = freshType("peek");
  const [oldest = "", middle = "", newest = ""] = await deliverMany(type, 3);
  await open(page, "viewer", `eventType=${type}`);
  await rows(page).first().getByText(type).click();
  const panel = page.getByRole("complementary", { name: "Delivery" });
  await expect(panel.getByText(newest).first()).toBeVisible();

  await page.keyboard.press("j");
  await expect(panel.getByText(middle).first()).toBeVisible();
  await page.keyboard.press("j");
  await expect(panel.getByText(oldest).first()).toBeVisible();
  await page.keyboard.press("k");
  await expect(panel.getByText(middle).first()).toBeVisible();
  await page.reload();
  await expect(panel.getByText(middle).first()).toBeVisible();

  await page.keyboard.press("Escape");
  await expect(panel).toHaveCount(0);
  await expect(rows(page).nth(1).getByRole("link")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(panel.getByText(middle).first()).toBeVisible();
  await panel.getByRole("link", { name: "Open page" }).click();
  await expect(page).toHaveURL((url) => url.pathname.startsWith("/deliveries/"));

  await page.goBack();
  await expect(panel.getByText(middle).first()).toBeVisible();
  await expectAccessible(page); // its narrow window shows the page instead of the panel
  await expect(page).toHaveURL((url) => url.pathname.startsWith("/deliveries/"));
});

test("CO-94 an export starts only from the console's own pages", async ({ page }) => {
  await signInToConsole(page, "viewer");
  const cookies = (await page.context().cookies(adminUrl)).map(({ name, value }) => `${name}=${value}`).join("; ");
  const post = (headers: Record<string, string>) =>
    fetch(`${adminUrl}/api/exports/deliveries`, {
      method: "POST",
      headers,
      body: new URLSearchParams({ ticket: "t" }),
      redirect: "manual",
    });
  expect((await post({ cookie: cookies, "sec-fetch-site": "cross-site" })).status).toBe(403);
  expect((await post({ cookie: cookies })).status).toBe(403);
  expect((await post({ "sec-fetch-site": "same-origin" })).status).toBeGreaterThanOrEqual(303);
  expect((await post({ cookie: cookies, "sec-fetch-site": "same-origin" })).status).toBe(404);
});
