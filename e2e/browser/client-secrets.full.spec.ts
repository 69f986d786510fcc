import { DAY, openNewClient, rowOf, shownSecret, tryAs } from "./client-secrets.ts";
import { withDatabase } from "./database.ts";
import { expect, expectAccessible, openSection, signInToConsole, test } from "./stage.ts";

/** As if the client's oldest secret had not been used for eight days. */
const ageOldest = (clientId: string): Promise<void> =>
  withDatabase(async ({ db }) => {
    const { tables } = db;
    const all = (await db.select().from(tables.clientSecrets)).filter((one) => one.clientId === clientId);
    const oldest = all.toSorted((a, b) => a.createdAt - b.createdAt)[0];
    if (oldest?.lastUsedAt == null) throw new Error("its oldest secret was never used");
    const at = oldest.lastUsedAt - 8 * DAY;
    const set = { createdAt: at, lastUsedAt: at };
    await db.upsert(tables.clientSecrets).values(oldest).onConflictDoUpdate({ target: tables.clientSecrets.id, set });
  });

test("CO-33 retire-called-off: retiring later can be called off; a secret in use ends now only after its last four characters are typed", async ({
  page,
}) => {
  await signInToConsole(page, "admin");
  const { clientId, secret } = await openNewClient(
    page,
    "Careful secrets",
    "production",
    "https://shop.example/callback",
  );
  const row = rowOf(page, "Secrets", secret);
  const dialog = page.getByRole("dialog", { name: /^Retire/ });
  const retire = dialog.getByRole("button", { name: "Retire secret in production" });
  await row.getByRole("button", { name: "Retire" }).click();
  await expect(dialog.getByLabel("When")).toHaveValue(String(DAY));
  await retire.click();
  await expect(row.getByRole("cell").nth(5)).not.toHaveText("Never");
  await row.getByRole("button", { name: "Call off" }).click();
  await expect(row.getByRole("cell").nth(5)).toHaveText("Never");
  expect(await tryAs(clientId, secret)).toBe("invalid_grant");

  await row.getByRole("button", { name: "Retire" }).click();
  await dialog.getByLabel("When").selectOption("Now");
  await expect(retire).toBeDisabled();
  await expectAccessible(page);
  await dialog.getByLabel(/^Type/).fill(secret.slice(-4));
  await retire.click();
  await expect(page.getByText("No active secrets.")).toBeVisible();
  expect(await tryAs(clientId, secret)).toBe("invalid_client");
});

test("CO-35 the tab Use shows what a client did, as charts and as a table, and leads to its failures", async ({
  page,
}) => {
  await signInToConsole(page, "developer");
  const { clientId } = await openNewClient(page, "Counted shop", "development", "http://localhost:4000/callback");
  await openSection(page, "Use");
  const refusals = page.getByRole("figure", { name: "Refusals" });
  // Counts are written every ten seconds.
  await expect(async () => {
    await page.reload();
    await expect(refusals).toContainText("1", { timeout: 10_000 });
  }).toPass();
  await expect(page.getByRole("figure", { name: "Tokens" })).toContainText("Nothing in this range");
  await page.getByRole("button", { name: "Show numbers" }).click();
  const numbers = page.getByRole("region", { name: "Tokens by grant, sign-ins and refusals" });
  await expect(numbers.getByRole("row")).toHaveCount(2);
  await expectAccessible(page);
  await refusals.getByRole("link", { name: "Refusals" }).click();
  await expect(page).toHaveURL((url) => url.pathname === "/failures" && url.searchParams.get("clientId") === clientId);
});

test("CO-31 CO-32 CO-34 rotate-with-evidence: the page sees the new secret's first use, then the old one is safe to retire", async ({
  page,
}) => {
  await signInToConsole(page, "developer");
  const { clientId, secret: old } = await openNewClient(
    page,
    "Rotating shop",
    "development",
    "http://localhost:4000/callback",
  );
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
