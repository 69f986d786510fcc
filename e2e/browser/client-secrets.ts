import type { Page } from "@playwright/test";
import { createApplication, expect, issuer, openSection } from "./stage.ts";

export const DAY = 86_400;

/** The error that the secret gets at /token: `invalid_grant` if it authenticates the client. */
export const tryAs = (clientId: string, secret: string) =>
  fetch(`${issuer}/token`, {
    method: "POST",
    body: new URLSearchParams({ grant_type: "refresh_token", refresh_token: "none", client_id: clientId, client_secret: secret }),
  }).then(async (answer) => ((await answer.json()) as { error: string }).error);

export async function shownSecret(page: Page): Promise<string> {
  const secret = (await page.getByTestId("client-secret").textContent()) ?? "";
  await page.getByRole("button", { name: "Done" }).click();
  return secret;
}

/** Registers a client of a new application in this environment, and opens its secrets. */
export async function registerClient(page: Page, name: string, tab: string, uri: string): Promise<{ clientId: string; secret: string }> {
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

export const rowOf = (page: Page, table: string, secret: string) =>
  page
    .getByRole("table", { name: table })
    .getByRole("row")
    .filter({ hasText: secret.slice(-4) });
