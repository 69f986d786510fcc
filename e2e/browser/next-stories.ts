import type { Page } from "@playwright/test";
import type { StartedProduct } from "../harness/next-product.ts";
import { createUser } from "./people.ts";
import { type ProductSetup, signInAtServer } from "./products.ts";
import { expect } from "./stage.ts";

/** A running product, known once the tests run. */
export type Running = { setup: ProductSetup; product: StartedProduct };

/** Follows a link to a guarded page, signs in, acts, and signs out. */
export async function followLinkAndSignOut(page: Page, running: Running): Promise<void> {
  const { url } = running.product;
  const email = await createUser(`${running.setup.clientId}-story`);
  await page.goto(`${url}/menu`);
  await expect(page.getByText("Signed out")).toBeVisible();
  await page.getByRole("link", { name: "Guarded" }).click();
  await signInAtServer(page, email);

  await expect(page).toHaveURL(`${url}/guarded?tab=1`);
  await expect(page.getByText(`Only for ${email}`)).toBeVisible();
  await page.getByRole("button", { name: "Who am I?" }).click();
  await expect(page.getByText(`You are ${email}`)).toBeVisible();

  await page.goto(`${url}/menu`);
  await expect(page.getByText(`Signed in as ${email}`)).toBeVisible();
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL(`${url}/`);
  await page.goto(`${url}/menu`);
  await expect(page.getByText("Signed out")).toBeVisible();
}

/** Calls Actions after the session cookie is gone: of a guarded page, where the proxy refuses, and of a public one. */
export async function actWithoutSession(page: Page, running: Running): Promise<void> {
  const { url } = running.product;
  const email = await createUser(`${running.setup.clientId}-action`);
  await page.goto(`${url}/guarded`);
  await signInAtServer(page, email);
  for (const path of ["/guarded", "/menu"]) {
    await page.goto(url + path);
    const answer = page.getByRole("status");
    await expect(answer).toHaveText("not asked");
    await page.context().clearCookies({ name: new RegExp(`^${running.setup.cookiePrefix}`) });
    // The proxy refuses the first, and the Action itself the second, whose page is public.
    const signedIn = page.waitForRequest((request) => request.url().startsWith(`${url}/auth/callback`));
    await page.getByRole("button", { name: "Who am I?" }).click();
    await signedIn; // at once, because the server still knows the browser
    await expect(page).toHaveURL(url + path);
    await expect(answer).toHaveText("not asked");
  }
}
