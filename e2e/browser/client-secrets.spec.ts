import { DAY, openNewClient, rowOf, shownSecret, tryAs } from "./client-secrets.ts";
import { withDatabase } from "./database.ts";
import { expect, expectAccessible, signInToConsole, test } from "./stage.ts";

/** As if the client's oldest secret had not been used for eight days. */
const ageOldest = (clientId: string): Promise<void> =>
  withDatabase(async ({ handle: { db, tables } }) => {
    const all = (await db.select().from(tables.clientSecrets)).filter((one) => one.clientId === clientId);
    const oldest = all.toSorted((a, b) => a.createdAt - b.createdAt)[0];
    if (oldest?.lastUsedAt == null) throw new Error("its oldest secret was never used");
    const at = oldest.lastUsedAt - 8 * DAY;
    const set = { createdAt: at, lastUsedAt: at };
    await db.upsert(tables.clientSecrets).values(oldest).onConflictDoUpdate({ target: tables.clientSecrets.id, set });
  });

test("CO-31 CO-32 CO-34 rotate-with-evidence: the page sees the new secret's first use, then the old one is safe to retire", async ({
  page,
}) => {
  await signInToConsole(page, "developer");
  const { clientId, secret: old } = await openNewClient(page, "Rotating shop", "development", "http://localhost:4000/callback");
  await expect(rowOf(page, "Secrets", old)).toContainText("In use");
  await page.getByRole("button", { name: "Add secret" }).click();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Generate secret" }).click();
  const fresh = await shownSecret(page);
  await expect(rowOf(page, "Secrets", fresh)).toContainText("Never used");
  await expect(page.getByText(`Waiting for the first use of …${fresh.slice(-4)}`)).toBeVisible();
  await expectAccessible(page);

  expect(await tryAs(clientId, fresh)).toBe("invalid_grant");
  await expect(page.getByText(`…${fresh.slice(-4)} is in use.`)).toBeVisible();
  await expect(rowOf(page, "Secrets", old)).toContainText("In use");
  await ageOldest(clientId);
  await page.reload();
  await expect(rowOf(page, "Secrets", old)).toContainText("Safe to retire");
  await expect(rowOf(page, "Secrets", old)).toContainText(`…${fresh.slice(-4)} took over.`);

  await rowOf(page, "Secrets", old).getByRole("button", { name: "Retire" }).click();
  await expectAccessible(page);
  await page.getByRole("dialog").getByRole("button", { name: "Retire secret" }).click();
  await expect(rowOf(page, "Secrets", old)).toHaveCount(0);
  await expect(rowOf(page, "Ended in the last 90 days", old)).toBeVisible();
  expect(await tryAs(clientId, old)).toBe("invalid_client");
  expect(await tryAs(clientId, fresh)).toBe("invalid_grant");
  await expectAccessible(page);
});
