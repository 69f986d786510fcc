import { createHmac } from "node:crypto";
import type { Page } from "@playwright/test";
import { issuer } from "./stage.ts";

export const SECRET = "whsec_only_for_tests_5678";

/** A delivery as Stripe signs it. Returns the status of the response. */
export async function deliver(slug: string, secret: string): Promise<number> {
  const body = JSON.stringify({ id: `evt_${Math.random()}`, type: "invoice.paid" });
  const t = Math.floor(Date.now() / 1000);
  const v1 = createHmac("sha256", secret).update(`${t}.${body}`).digest("hex");
  const headers = { "content-type": "application/json", "stripe-signature": `t=${t},v1=${v1}` };
  return (await fetch(`${issuer}/api/webhooks/${slug}`, { method: "POST", headers, body })).status;
}

export async function addSecret(page: Page, secret: string): Promise<void> {
  await page.getByRole("button", { name: "Add secret" }).click();
  await fillSecret(page, secret);
}

export async function fillSecret(page: Page, secret: string): Promise<void> {
  const dialog = page.getByRole("dialog", { name: "Add a secret" });
  await dialog.getByLabel("Secret", { exact: false }).and(page.locator("input")).fill(secret);
  await dialog.getByRole("button", { name: /^Add secret/ }).click();
}
