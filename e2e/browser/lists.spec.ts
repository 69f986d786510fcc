import { openDatabase } from "@gatehouse/db";
import { adminUrl, environment, expect, expectAccessible, openConsole, test } from "./stage.ts";

/** More deliveries than one call examines, all older than any that a test sends. */
async function fillInbox(): Promise<void> {
  const database = await openDatabase(environment["DATABASE_URL"] ?? "");
  if (database.engine.dialect !== "sqlite") throw new Error("expected SQLite");
  database.engine.connection.exec(`
    INSERT OR IGNORE INTO webhook_deliveries (id, provider, received_at, method, outcome, reason, status, event_type, headers, body, ack_ms)
    WITH RECURSIVE numbers(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < 60000)
    SELECT printf('old_%05d', i), 'polar', 1700000000 + i, 'POST', 'accepted', 'accepted', 200,
      CASE WHEN i IN (2, 59000) THEN 'rare.type' ELSE 'order.paid' END, '{}', x'7b7d', 1
    FROM numbers`);
  await database.close();
}

test("CO-55 a search that stops says how far back it came, and continues when asked", async ({ page }) => {
  await fillInbox();
  await openConsole(page, "viewer", "/deliveries?provider=polar&eventType=none.such");
  const main = page.getByRole("main");
  await expect(main.getByRole("heading", { name: "Nothing found since" })).toBeVisible();
  await expectAccessible(page);
  await main.getByRole("button", { name: "Search further" }).click();
  await expect(main.getByRole("heading", { name: "No delivery matches" })).toBeVisible();

  await page.goto(`${adminUrl}/deliveries?provider=polar&eventType=rare.type`);
  await expect(main.getByText("Searched back to")).toBeVisible();
  await expect(main.getByRole("table").getByRole("link")).toHaveCount(1);
  await expectAccessible(page);
  await main.getByRole("button", { name: "Search further" }).click();
  await expect(main.getByRole("table").getByRole("link")).toHaveCount(2);
  await expect(main.getByText("Searched back to")).toHaveCount(0);
});

test("a page comes whole: nothing waits hidden beside a placeholder, where it would be there twice", async ({ page }) => {
  await openConsole(page, "viewer");
  await page.getByText("Application web", { exact: true }).click();
  await expect(page).toHaveURL((url) => url.pathname.startsWith("/applications/"));
  const application = new URL(page.url()).pathname;
  for (const path of ["/applications", "/applications?query=web", "/users", "/deliveries", application]) {
    const html = await (await page.request.get(adminUrl + path)).text();
    expect(html.match(/<main/g), path).toHaveLength(1);
    expect(html.match(/<h1/g), path).toHaveLength(1);
    expect(html, path).not.toMatch(/<div hidden="" id="S:/);
  }
});
