import { execute, valuesOf } from "./database.ts";
import { adminUrl, expect, expectAccessible, openConsole, test } from "./stage.ts";

/** More than one search examines. */
const DELIVERIES = 30_000;

/** Few enough that the server, which waits for the lock, does not notice. */
const AT_ONCE = 2_000;

const START = 1_700_000_000;

/** Inserts more deliveries than one search examines, all older than those that tests send. */
async function fillInbox(): Promise<void> {
  for (let first = 1; first < DELIVERIES; first += AT_ONCE)
    await execute(`
      INSERT INTO webhook_deliveries (id, endpoint, environment, received_at, method, outcome, reason, status, event_type, headers, ack_ms, source)
      ${valuesOf(AT_ONCE, delivery, first)} ON CONFLICT DO NOTHING`);
}

function delivery(i: number): (string | number)[] {
  const ms = ((START + i) * 1000).toString(16).padStart(12, "0");
  const id = `${ms.slice(0, 8)}-${ms.slice(8)}-7000-8000-${i.toString(16).padStart(12, "0")}`;
  const type = i === 2 || i === 29_000 ? "rare.type" : "order.paid";
  return [id, "polar", "production", START + i, "POST", "accepted", "accepted", 200, type, "{}", 1, "http"];
}

/** Signs a user in from more browsers than the console lists. */
const fillSessions = (email: string) =>
  execute(`
    INSERT INTO sessions
      (hash, id, user_id, auth_time, user_agent, created_at, last_seen_at, expires_at, absolute_expires_at, access_epoch)
    WITH made(hash, session, at) AS (${valuesOf(250, (i) => [`hash_${i}`, `session_${String(i).padStart(3, "0")}`, START + i])})
    SELECT hash, session, id, ${START}, 'curl/8', at, at, 4000000000, 4000000000, access_epoch
    FROM made, users WHERE email = '${email}' ON CONFLICT DO NOTHING`);

test("CO-55 a search that stops early says how far back it went and can continue", async ({ page }) => {
  await fillInbox();
  await openConsole(page, "viewer", "/deliveries?environment=production&provider=polar&eventType=none.such");
  const main = page.getByRole("main");
  await expect(main.getByRole("heading", { name: "No matches since" })).toBeVisible();
  await expectAccessible(page);
  await main.getByRole("button", { name: "Search further" }).click();
  await expect(main.getByRole("heading", { name: "No deliveries found" })).toBeVisible();

  await page.goto(`${adminUrl}/deliveries?environment=production&provider=polar&eventType=rare.type`);
  await expect(main.getByText("Searched back to")).toBeVisible();
  await expect(main.getByRole("table").getByRole("link")).toHaveCount(1);
  await expectAccessible(page);
  await main.getByRole("button", { name: "Search further" }).click();
  await expect(main.getByRole("table").getByRole("link")).toHaveCount(2);
  await expect(main.getByText("Searched back to")).toHaveCount(0);
  await expect(main.locator(":focus")).toContainText("End of list");
});

test("a user's page says when it lists only the most recent sessions", async ({ page }) => {
  await fillSessions("lifetimes@example.com");
  await openConsole(page, "viewer", "/users?query=lifetimes@example.com");
  await page.getByRole("table").getByRole("link").first().click();
  await expect(page.getByText("Showing the 200 most recent sessions.")).toBeVisible();
  await expect(page.getByRole("table", { name: "Sessions" }).getByRole("row")).toHaveCount(201);
});

test("leaving a list cancels a search that is not applied yet", async ({ page }) => {
  await openConsole(page, "viewer", "/applications");
  await page.getByLabel("Search applications").fill("application web");
  await page.getByRole("link", { name: "Users", exact: true }).click();
  await expect(page).toHaveURL(`${adminUrl}/users`);

  // Finds the row that is clicked, should the search be applied first
  await page.getByLabel("Search users").fill("developer");
  await page.getByRole("table").getByText("developer@example.com").click();
  await expect(page).toHaveURL((url) => url.pathname.startsWith("/users/"));

  await page.goBack();
  const search = page.getByLabel("Search users");
  await search.fill("nobody");
  await page.getByRole("link", { name: "Users", exact: true }).click();
  await expect(search).toHaveValue("");
  await expect(page).toHaveURL(`${adminUrl}/users`);
});
