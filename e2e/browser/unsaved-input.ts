import type { Page } from "@playwright/test";
import { consoleToken, dataOf, mutate } from "../harness/trpc.ts";
import { createUser } from "./people.ts";
import { issuer, openConsole } from "./stage.ts";

/** A developer and an endpoint of their own, with the page of its settings open. */
export async function openSettings(page: Page, name: string): Promise<void> {
  await createDeveloper(name);
  const endpoint = { slug: name, provider: "stripe", environment: "staging" };
  dataOf(await mutate(issuer, "webhookEndpoints.create", endpoint, await consoleToken(issuer, "admin")));
  await openConsole(page, name, `/webhooks/${name}`);
}

export const createDeveloper = (name: string) => createUser(name, { role: "developer" });

export const tolerance = (page: Page) => page.getByLabel("Tolerance in seconds");

export const save = (page: Page) => page.getByRole("button", { name: "Save", exact: true });

export const ended = (page: Page) => page.getByRole("dialog", { name: "Your session has ended" });

/** Follows the link of the dialog, which opens another tab. */
export async function openSignIn(page: Page): Promise<Page> {
  const [tab] = await Promise.all([page.waitForEvent("popup"), ended(page).getByRole("link", { name: "Sign in" }).click()]);
  return tab;
}
