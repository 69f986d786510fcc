import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { adminUrl, issuer, registerClient } from "./stage.ts";

export const unfold = (page: Page, section: string) =>
  page.getByRole("button", { name: new RegExp(`^${section}: `) }).click();

export async function openNewClient(page: Page): Promise<{ clientId: string; secret: string }> {
  const applicationName = `Settings ${randomUUID().slice(0, 8)}`;
  const grantTypes = ["authorization_code", "refresh_token", "client_credentials"];
  const client = { applicationName, grantTypes, scopes: ["openid", "api:read"] };
  const { applicationId, clientId, secret } = await registerClient(page, client);
  await page.goto(`${adminUrl}/applications/${applicationId}?tab=settings`);
  return { clientId, secret: secret ?? "" };
}

export async function token(clientId: string, secret: string): Promise<{ error?: string; expires_in?: number }> {
  const body = new URLSearchParams({ grant_type: "client_credentials", client_id: clientId, client_secret: secret });
  return (await (await fetch(`${issuer}/token`, { method: "POST", body })).json()) as {
    error?: string;
    expires_in?: number;
  };
}
