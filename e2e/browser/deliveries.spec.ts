import { deliver, deliverMany, freshType, open, rows } from "./deliveries.ts";
import { adminUrl, expect, expectAccessible, signInToConsole, test } from "./stage.ts";

test("CO-54 live-tail-holds-place: live rows join at the top, wait while the reader is further down, and pausing keeps their number", async ({
  page,
}) => {
  const type = freshType("live");
  await deliverMany(type, 30);
  await open(page, "viewer", `eventType=${type}`);
  await expect(rows(page)).toHaveCount(30);
  const live = page.getByRole("button", { name: "Live", exact: true });
  await live.click();
  await expect(live).toHaveAttribute("aria-pressed", "true");

  const joined = await deliver(type);
  await expect(rows(page)).toHaveCount(31);
  await expect(rows(page).first()).toContainText(joined.slice(-6));

  await rows(page).last().scrollIntoViewIfNeeded();
  await deliverMany(type, 2);
  const waiting = page.getByRole("button", { name: "2 new" });
  await expect(waiting).toBeVisible();
  await expect(rows(page)).toHaveCount(31);
  await live.click();
  await expect(waiting).toBeVisible();
  await expectAccessible(page);

  await waiting.click();
  await expect(rows(page)).toHaveCount(33);
  await expect(waiting).toHaveCount(0);
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
