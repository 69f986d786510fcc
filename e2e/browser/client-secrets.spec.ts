import { openDatabase } from "@gatehouse/db";
import type { Page } from "@playwright/test";
import { createApplication, environment, expect, expectAccessible, issuer, openConsole, openSection, test } from "./stage.ts";

const DAY = 86_400;

/** The error that the secret gets at /token: `invalid_grant` if it authenticates the client. */
const tryAs = (clientId: string, secret: string) =>
  fetch(`${issuer}/token`, {
    method: "POST",
    body: new URLSearchParams({ grant_type: "refresh_token", refresh_token: "none", client_id: clientId, client_secret: secret }),
  }).then(async (answer) => ((await answer.json()) as { error: string }).error);

async function shownSecret(page: Page): Promise<string> {
  const secret = (await page.getByTestId("client-secret").textContent()) ?? "";
  await page.getByRole("button", { name: "Done" }).click();
  return secret;
}

/** Registers a client of a new application in this environment, and opens its secrets. */
async function registerClient(page: Page, name: string, tab: string, uri: string): Promise<{ clientId: string; secret: string }> {
  await createApplication(page, `${name} ${Date.now()}`);
  await page.getByRole("tab", { name: tab }).click();
  await page.getByRole("button", { name: "Register client" }).click();
  await page.getByLabel("Redirect URI", { exact: true }).fill(uri);
  await page.getByRole("button", { name: /^Register/ }).click();
  const secret = await shownSecret(page);
  const clientId = (await page.getByTestId("client-id").textContent()) ?? "";
  expect(await tryAs(clientId, secret)).toBe("invalid_grant");
  await openSection(page, "Secrets");
  return { clientId, secret };
}

const rowOf = (page: Page, table: string, secret: string) =>
  page
    .getByRole("table", { name: table })
    .getByRole("row")
    .filter({ hasText: secret.slice(-4) });

/** As if the client's oldest secret had not been used for eight days. */
async function ageOldest(clientId: string): Promise<void> {
  const database = await openDatabase(environment["DATABASE_URL"] ?? "");
  try {
    const { db, tables } = database.handle;
    const all = (await db.select().from(tables.clientSecrets)).filter((one) => one.clientId === clientId);
    const oldest = all.toSorted((a, b) => a.createdAt - b.createdAt)[0];
    if (oldest?.lastUsedAt == null) throw new Error("its oldest secret was never used");
    const at = oldest.lastUsedAt - 8 * DAY;
    const set = { createdAt: at, lastUsedAt: at };
    await db.upsert(tables.clientSecrets).values(oldest).onConflictDoUpdate({ target: tables.clientSecrets.id, set });
  } finally {
    await database.close();
  }
}

test("CO-31 CO-32 CO-34 rotate-with-evidence: the page sees the new secret's first use, then the old one is safe to retire", async ({
  page,
}) => {
  await openConsole(page, "developer");
  const { clientId, secret: old } = await registerClient(page, "Rotating shop", "Development", "http://localhost:4000/callback");
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

test("CO-33 retire-called-off: retiring later can be called off; a secret in use ends now only after its last four characters are typed", async ({
  page,
}) => {
  await openConsole(page, "admin");
  const { clientId, secret } = await registerClient(page, "Careful secrets", "Production", "https://shop.example/callback");
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

test("CO-35 the tab Use shows what a client did, as charts and as a table, and leads to its failures", async ({ page }) => {
  await openConsole(page, "developer");
  const { clientId } = await registerClient(page, "Counted shop", "Development", "http://localhost:4000/callback");
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
