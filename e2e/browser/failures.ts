import { randomBytes } from "node:crypto";
import type { Page } from "@playwright/test";
import { issuer, registerClient } from "./stage.ts";

/** Creates an application with a development client, and returns its client id. */
export async function newClient(page: Page, redirectUri: string): Promise<string> {
  const applicationName = `Failing shop ${randomBytes(4).toString("hex")}`;
  return (await registerClient(page, { applicationName, redirectUris: [redirectUri] })).clientId;
}

/** Sends an authorization request with this redirect URI, as a browser would, and returns the error id of the page. */
export async function refusedAuthorization(clientId: string, redirectUri: string): Promise<string> {
  const query = new URLSearchParams({ client_id: clientId, redirect_uri: redirectUri, response_type: "code" });
  const response = await fetch(`${issuer}/authorize?${query}`, { headers: { accept: "text/html" } });
  return /<code>([0-9A-Z]{10})<\/code>/.exec(await response.text())?.[1] ?? "";
}
