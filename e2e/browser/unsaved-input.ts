import type { Page } from "@playwright/test";
import { consoleToken, dataOf, mutate } from "../harness/trpc.ts";
import { createUser } from "./people.ts";
import { issuer, openConsole } from "./stage.ts";

/** Opens the settings of an endpoint of this test alone, as the fixture's developer or as `name`. */
export async function openSettings(page: Page, slug: string, name = "developer"): Promise<void> {
  const endpoint = { slug, provider: "stripe", environment: "staging" };
  dataOf(await mutate(issuer, "webhookEndpoints.create", endpoint, await consoleToken(issuer, "admin")));
  await openConsole(page, name, `/webhooks/${slug}`);
}

export const createDeveloper = (name: string) => createUser(name, { role: "developer" });

export const tolerance = (page: Page) => page.getByLabel("Tolerance in seconds");

export const save = (page: Page) => page.getByRole("button", { name: "Save", exact: true });

export const ended = (page: Page) => page.getByRole("dialog", { name: "Your session has ended" });

/** Follows the link of the dialog, which opens another tab. */
export async function openSignIn(page: Page): Promise<Page> {
  const [tab] = await Promise.all([
    page.waitForEvent("popup"),
    ended(page).getByRole("link", { name: "Sign in" }).click(),
  ]);
  return tab;
}
