import type { Page } from "@playwright/test";
import Stripe from "stripe";
import { WEBHOOK_SECRETS } from "../harness/fixture.ts";
import { issuer, openConsole } from "./stage.ts";

const stripe = new Stripe("sk_test_never_used");

let sent = 0;

/** Sends a webhook as Stripe does. Each test has event types of its own, because all tests share one inbox. */
export async function deliver(
  type: string,
  { secret = WEBHOOK_SECRETS.stripe, id = `evt_list_${process.pid}_${sent++}` } = {},
): Promise<string> {
  const payload = JSON.stringify({ id, object: "event", type, data: { object: { amount: 4200 } } });
  const signature = stripe.webhooks.generateTestHeaderString({ payload, secret });
  const headers = { "content-type": "application/json", "stripe-signature": signature };
  await fetch(`${issuer}/api/webhooks/stripe`, { method: "POST", headers, body: payload });
  return id;
}

export async function deliverMany(type: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let at = 0; at < count; at++) ids.push(await deliver(type));
  return ids;
}

export const freshType = (name: string) => `list.${name}.${Date.now()}`;

export const rows = (page: Page) => page.getByRole("table").first().locator("tbody tr");

export const open = (page: Page, role: string, query: string) =>
  openConsole(page, role, `/deliveries?environment=all&${query}`);
