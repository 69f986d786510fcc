import type { Page } from "@playwright/test";
import { submit } from "./account-states.ts";
import { createUser } from "./people.ts";
import { expect, issuer } from "./stage.ts";

/** Opens a page and submits its form, which the server refuses. */
export async function refuse(
  page: Page,
  path: string,
  action: string,
  fields: Record<string, string>,
  button?: string,
): Promise<void> {
  await page.goto(issuer + path);
  await submit(page, action, fields, button);
  await expect(page.getByRole("alert").first()).toBeVisible();
}

/** A user of one test alone. */
export async function newUser(name: string): Promise<{ name: string; email: string }> {
  const unique = `${name}-${Date.now()}`;
  return { name: unique, email: await createUser(unique, { displayName: "Ada Lovelace" }) };
}
