import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { BIG } from "@gatehouse/db/testing/big";
import { adminUrl, expect, openConsole, test } from "../browser/stage.ts";

/** Rows of a page of a list, and how many of them the list keeps. */
const [PAGE, KEPT] = [50, 1_000];
const PAGES = 100;

test("CO-97 hundredth-page: a list of a million goes on to its hundredth page, each row once", async ({ page }) => {
  await openConsole(page, "viewer", "/users");
  const table = page.getByRole("main").locator("table");
  const hrefs = () =>
    table.locator("tbody a").evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
  const seen = new Set<string>();
  for (let pages = 1; pages <= PAGES; pages += 1) {
    await expect(table.locator(`tbody tr:nth-child(${(((pages - 1) * PAGE) % KEPT) + PAGE})`)).toHaveCount(1);
    if ((pages * PAGE) % KEPT > 0) {
      await page.getByText("Load more", { exact: true }).click();
      continue;
    }
    for (const href of await hrefs()) seen.add(href);
    const first = await table.locator("tbody a").first().getAttribute("href");
    await page.getByText("Go to the next page", { exact: true }).click();
    await expect(table.locator("tbody a").first()).not.toHaveAttribute("href", first ?? "");
  }
  expect(seen.size).toBe(PAGES * PAGE);
  await expect(page.getByText("This is not the start of the list.")).toBeVisible();
  await page.goBack();
  await expect(table.locator("tbody tr")).toHaveCount(KEPT);
  await page.getByText("Go to the first page", { exact: true }).click();
  await expect(page).toHaveURL(`${adminUrl}/users`);
});

test("CO-97 export-a-million: everybody is in the file, once, and the console answers meanwhile", async ({
  page,
  context,
}) => {
  await openConsole(page, "admin", "/users");
  await page.getByRole("button", { name: "Export" }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("dialog", { name: "Export users" }).getByRole("button", { name: "Download" }).click(),
  ]);
  const other = await context.newPage();
  await other.goto(new URL("/deliveries?environment=all", page.url()).href);
  await expect(other.getByRole("main").getByRole("table").getByRole("link").first()).toBeVisible();

  const ids = await idsOf(await download.path());
  expect(ids[0]).toBe("id");
  expect(ids.filter((id) => id.startsWith("big-user-")).length).toBe(BIG.rows);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length - 1).toBeGreaterThan(BIG.rows); // with those of the fixture
});

/** The first column of a CSV file. */
async function idsOf(file: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const line of createInterface({ input: createReadStream(file) }))
    ids.push(line.slice(0, line.indexOf(",")));
  return ids;
}
