import { auditTampering } from "@gatehouse/console/testing/audit-tampering";
import { openDatabase } from "@gatehouse/db/database";
import type { Page } from "@playwright/test";
import { gatehouseText } from "../harness/gatehouse.ts";
import { consoleToken, dataOf, mutate } from "../harness/trpc.ts";
import { environment, expect, expectAccessible, full, issuer, openConsole, test } from "./stage.ts";

// The last test breaks the chain and repairs it, so the tests of this file run in order.
test.describe.configure({ mode: "serial" });

const endpoint = `audited-${Date.now()}`;
const chain = (page: Page) => page.getByTestId("chain-state");
const row = (page: Page, what: string) =>
  page.getByRole("row").filter({ hasText: what }).filter({ hasText: endpoint }).getByRole("link").first();

test.beforeAll(async () => {
  const draft = { slug: endpoint, provider: "stripe", environment: "staging" };
  dataOf(await mutate(issuer, "webhookEndpoints.create", draft, await consoleToken(issuer, "admin")));
});

test("CO-64 audit-diff-and-verify: a change shows before and after with its author, and the chain verifies", async ({
  page,
}) => {
  await openConsole(page, "admin", `/webhooks/${endpoint}`);
  await page.getByLabel("Tolerance in seconds").fill("77");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Settings saved.")).toBeVisible();

  await page.goto(`${new URL(page.url()).origin}/audit?object=${endpoint}`);
  await expect(row(page, "Created webhook endpoint")).toBeVisible();
  await expectAccessible(page);
  await row(page, "Changed webhook endpoint").click();
  const peek = page.getByRole("complementary", { name: "Row" });
  await expect(peek.getByTestId("diff")).toContainText("77");
  await expect(peek).toContainText("Console");
  // A narrow window, which this ends with, shows the row's own page instead of the panel.
  await expectAccessible(page);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Changed webhook endpoint");
  await expect(page.getByTestId("diff")).toContainText("77");
  await expectAccessible(page);

  await page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("link", { name: "Audit log" }).click();
  await page.getByRole("button", { name: "Verify" }).click();
  await expect(chain(page)).toHaveAttribute("data-state", "intact");
  await expectAccessible(page);
});

if (full)
  test("CO-65 audit-tamper-found: a row that was changed in the database is named", async ({ page }) => {
    const database = await openDatabase(environment["DATABASE_URL"] ?? "");
    try {
      const { db } = database;
      const { tables } = db;
      const found = async () => (await db.select().from(tables.audit)).find(({ object }) => object === endpoint);
      await expect.poll(async () => (await found())?.number ?? null).not.toBeNull();
      const created = await found();
      const number = created?.number ?? 0;
      const { change } = auditTampering(database.db);
      await openConsole(page, "admin", "/audit");
      await change(number, { actorName: "Somebody else" });
      await page.getByRole("button", { name: "Verify" }).click();
      await expect(chain(page)).toHaveAttribute("data-state", "broken");
      await expect(chain(page)).toContainText(`row ${number}`);
      await expectAccessible(page);

      await expect(gatehouseText(["audit", "verify"], environment)).rejects.toMatchObject({
        code: 1,
        stdout: expect.stringContaining(`"first_broken_row": ${number}`),
      });
      await change(number, { actorName: created?.actorName ?? "" });
      await page.getByRole("button", { name: "Verify" }).click();
      await expect(chain(page)).toHaveAttribute("data-state", "intact");
    } finally {
      await database.close();
    }
  });
