import type { Page } from "@playwright/test";
import { PASSWORD } from "../harness/fixture.ts";
import { createUser } from "./people.ts";
import { expect, issuer } from "./stage.ts";
import { addVirtualAuthenticator, type VirtualAuthenticator } from "./virtual-authenticator.ts";

/** A user of one test alone. */
export const newUser = (name: string): Promise<string> => createUser(`${name}-${Date.now()}`, { displayName: name });

export async function signIn(page: Page, email: string): Promise<void> {
  await page.goto(`${issuer}/sign-in`);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page).not.toHaveURL(/\/sign-in$/);
}

/** Signs in with the password and adds a passkey on the security page. */
export async function enrol(page: Page, email: string): Promise<VirtualAuthenticator> {
  await signIn(page, email);
  const authenticator = await addVirtualAuthenticator(page);
  await page.goto(`${issuer}/account/security`);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await expect(page.getByText("Passkey added.")).toBeVisible();
  return authenticator;
}

export async function signOut(page: Page): Promise<void> {
  await page.goto(`${issuer}/account`);
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
}
