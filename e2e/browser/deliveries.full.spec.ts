import { readFile } from "node:fs/promises";
import { emailOf } from "../harness/fixture.ts";
import { ageSignIns } from "./database.ts";
import { deliver, deliverMany, freshType, open, rows } from "./deliveries.ts";
import { createUser } from "./people.ts";
import { confirmIdentity, expect, expectAccessible, issuer, test } from "./stage.ts";

test("CO-54 live rows wait while something is selected", async ({ page }) => {
  const type = freshType("held");
  await deliverMany(type, 3);
  await open(page, "developer", `eventType=${type}`);
  await page.getByRole("button", { name: "Live", exact: true }).click();
  await rows(page).first().getByRole("checkbox").check();
  await deliver(type);
  await expect(page.getByRole("button", { name: "1 new" })).toBeVisible();
  await expect(rows(page)).toHaveCount(3);
});

test("on a phone, the list fits and a row opens the delivery's page", async ({ page }) => {
  const type = freshType("phone");
  await deliver(type);
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, "viewer", `eventType=${type}`);
  await rows(page).first().getByRole("link").click();
  await expect(page).toHaveURL((url) => url.pathname.startsWith("/deliveries/"));
});

test("CO-53 CO-84 the columns fit a window of 1440 px, and the reader chooses others", async ({ page }) => {
  const type = freshType("a.very.long.type.of.an.event.that.is.cut");
  await deliver(type);
  await deliver(type, { secret: "whsec_forged" });
  await page.setViewportSize({ width: 1440, height: 900 });
  await open(page, "admin", `eventType=${type}`);
  const table = page.getByRole("table", { name: "Deliveries" });
  await expect(rows(page)).toHaveCount(2);
  const overflow = () => table.evaluate((element) => element.scrollWidth - (element.parentElement?.clientWidth ?? 0));
  expect(await overflow()).toBeLessThanOrEqual(0);
  await expect(table.getByRole("columnheader", { name: "Size" })).toHaveCount(0);
  await page.getByRole("button", { name: "View", exact: true }).click();
  for (const name of ["Size", "IP address"]) await page.getByRole("checkbox", { name }).check();
  await page.keyboard.press("Escape");
  await expect(table.getByRole("columnheader", { name: "Size" })).toBeVisible();
  expect(await overflow()).toBeLessThanOrEqual(0);
});

test("CO-57 charts show counts as pictures and numbers, and a click filters the list", async ({ page }) => {
  await deliver(freshType("charts"));
  await deliver(freshType("charts"), { secret: "whsec_forged" });
  // Another provider, so that there is something to compare.
  await fetch(`${issuer}/api/webhooks/github`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  });
  await open(page, "viewer", "range=7d");
  const charts = page.getByRole("region", { name: "Charts" });
  const reason = charts.getByRole("button", { name: /Signature doesn’t match/ });
  const github = charts.getByRole("figure", { name: "Results by provider" }).getByRole("button", { name: /^github / });
  await expect(async () => {
    await page.reload();
    await expect(reason).toBeVisible({ timeout: 10_000 });
    await expect(github).toBeVisible({ timeout: 10_000 }); // counts are written every 10 seconds
  }).toPass();
  await expect(charts.locator("svg.recharts-surface").first()).toBeVisible();
  await charts.getByRole("button", { name: "Show numbers" }).click();
  await expect(charts.getByRole("table")).toHaveCount(4);
  await expectAccessible(page);

  await charts.getByText("30 d", { exact: true }).click();
  await expect(page).toHaveURL((url) => url.searchParams.get("range") === "30d");
  await reason.click();
  await expect(page).toHaveURL((url) => url.searchParams.get("reason") === "signature_mismatch");
  await expect(page.getByRole("button", { name: "Reason is Signature doesn’t match" })).toBeVisible();
  await page.goBack();

  await github.click();
  await expect(page).toHaveURL((url) => url.searchParams.get("provider") === "github" && url.searchParams.has("from"));
  await expect(page.getByRole("button", { name: "Provider is github" })).toBeVisible();
  await expect(rows(page).first()).toContainText("github");
  await expect(github).toHaveCount(0); // a single provider with a single endpoint has nothing to compare
});

test("CO-84 handlers of selected deliveries run again, with progress and a verdict for each one that was skipped", async ({
  page,
}) => {
  const type = freshType("rerun");
  await deliverMany(type, 2);
  await open(page, "admin", `eventType=${type}`);
  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  await page.getByRole("region", { name: "Selection" }).getByRole("button", { name: "Run again" }).click();
  const dialog = page.getByRole("dialog", { name: "Run handlers again" });
  await expect(dialog).toContainText("2 on this page");
  await dialog.getByRole("button", { name: "Run again" }).click();
  await expect(dialog.getByText("Handlers have run again")).toBeVisible();
  await expect(dialog).toContainText("0 succeeded · 0 failed · 2 skipped");
  await expect(dialog.getByRole("table", { name: "Deliveries with problems" }).getByRole("row")).toHaveCount(3);
  await expectAccessible(page);
  await page.reload();
  await expect(dialog.getByText("Handlers have run again")).toBeVisible();
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(dialog).toHaveCount(0);
});

test("CO-88 replay-asks-again: running handlers again long after the sign-in asks for it again, and then goes on", async ({
  page,
}) => {
  const name = `replays-${Date.now()}`;
  await createUser(name, { role: "admin" });
  const type = freshType("replay");
  await deliver(type);
  await open(page, name, `eventType=${type}`);
  await ageSignIns(emailOf(name));
  await page.reload();
  await expect(async () => {
    await page.getByRole("checkbox", { name: "Select all on this page" }).check();
    await expect(page.getByRole("region", { name: "Selection" })).toContainText("1 on this page", { timeout: 1_000 });
  }).toPass();
  await page.getByRole("region", { name: "Selection" }).getByRole("button", { name: "Run again" }).click();
  const confirm = page.getByRole("dialog", { name: "Confirm it’s you" });
  const [tab] = await Promise.all([page.waitForEvent("popup"), confirm.getByRole("link", { name: "Confirm" }).click()]);
  await expect(tab).toHaveURL((url) => url.href.startsWith(`${issuer}/sign-in`));
  await confirmIdentity(tab);
  const dialog = page.getByRole("dialog", { name: "Run handlers again" });
  await dialog.getByRole("button", { name: "Run again" }).click();
  await expect(dialog.getByText("Handlers have run again")).toBeVisible();
});

test("a viewer selects nothing and exports no payloads", async ({ page }) => {
  const type = freshType("viewer");
  await deliver(type);
  await open(page, "viewer", `eventType=${type}`);
  await expect(rows(page)).toHaveCount(1);
  await expect(page.getByRole("checkbox")).toHaveCount(0);
  await page.getByRole("button", { name: "Export" }).click();
  await expect(page.getByRole("dialog", { name: "Export deliveries" })).toBeVisible();
  await expect(page.getByRole("checkbox")).toHaveCount(0);
});

test("CO-84 CO-85 selected deliveries are exported as NDJSON, with their payloads for those who may see them", async ({
  page,
}) => {
  const type = freshType("export");
  const [first = "", , third = ""] = await deliverMany(type, 3);
  await open(page, "admin", `eventType=${type}`);
  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  const selection = page.getByRole("region", { name: "Selection" });
  await expect(selection).toContainText("Selected: 3 on this page");
  await rows(page).nth(1).getByRole("checkbox").uncheck();
  await expect(selection).toContainText("Selected: 2 on this page");
  await selection.getByRole("button", { name: "Export" }).click();

  const dialog = page.getByRole("dialog", { name: "Export deliveries" });
  await dialog.getByRole("checkbox", { name: "Include headers and payloads" }).check();
  await expectAccessible(page);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    dialog.getByRole("button", { name: "Download" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^deliveries-\d{8}T\d{6}\.ndjson$/);
  const lines = (await readFile(await download.path(), "utf8")).trimEnd().split("\n");
  const exported = lines.map((line) => JSON.parse(line));
  expect(exported.map(({ eventId }) => eventId)).toEqual([third, first]);
  expect(JSON.parse(exported[0].payload.text)).toMatchObject({ id: third });
});

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

test("a row opens beside the list; J and K walk, Escape closes, a link opens its page", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const type = freshType("peek");
  const [oldest = "", middle = "", newest = ""] = await deliverMany(type, 3);
  await open(page, "viewer", `eventType=${type}`);
  for (const at of [0, 1]) {
    await page.keyboard.press("j");
    await expect(rows(page).nth(at).getByRole("link")).toBeFocused();
  }
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
