import type { Page } from "@playwright/test";
import { adminUrl, expect, issuer, registerClient } from "./stage.ts";

export const DAY = 86_400;

/** The error that the secret gets at /token: `invalid_grant` if it authenticates the client. */
export const tryAs = (clientId: string, secret: string) =>
  fetch(`${issuer}/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "refresh_token",
      refresh_token: "none",
      client_id: clientId,
      client_secret: secret,
    }),
  }).then(async (answer) => ((await answer.json()) as { error: string }).error);

export async function shownSecret(page: Page): Promise<string> {
  const secret = (await page.getByTestId("client-secret").textContent()) ?? "";
  await page.getByRole("button", { name: "Done" }).click();
  return secret;
}

/** Registers a client of a new application in this environment, uses its secret, and opens its secrets. */
export async function openNewClient(
  page: Page,
  name: string,
  environment: string,
  redirectUri: string,
): Promise<{ clientId: string; secret: string }> {
  const client = {
    applicationName: `${name} ${Date.now()}`,
    environment,
    redirectUris: [redirectUri],
    grantTypes: ["authorization_code", "refresh_token"],
  };
  const { applicationId, clientId, secret } = await registerClient(page, client);
  expect(await tryAs(clientId, secret ?? "")).toBe("invalid_grant");
  await page.goto(`${adminUrl}/applications/${applicationId}?tab=secrets&environment=${environment}`);
  return { clientId, secret: secret ?? "" };
}

export const rowOf = (page: Page, table: string, secret: string) =>
  page
    .getByRole("table", { name: table })
    .getByRole("row")
    .filter({ hasText: secret.slice(-4) });
