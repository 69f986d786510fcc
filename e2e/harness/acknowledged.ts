import { randomInt } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { type Database, openDatabase } from "@gatehouse/db/database";
import { inArray } from "drizzle-orm";
import Stripe from "stripe";
import { expect } from "vitest";
import { WEBHOOK_SECRETS } from "./fixture.ts";
import { type Answer, send } from "./http.ts";

const SENDERS = 4;
const stripe = new Stripe("sk_test_never_used");

/**
 * Sends a paid invoice of a subscription of its own, which the product's handler counts in a write that may happen
 * once.
 */
export function deliver(issuer: string, id: string): Promise<Answer> {
  const invoice = {
    id: `in_${id}`,
    object: "invoice",
    parent: { subscription_details: { subscription: `sub_${id}` } },
  };
  const event = {
    id: `evt_${id}`,
    object: "event",
    type: "invoice.paid",
    created: 1_790_000_000,
    data: { object: invoice },
  };
  const payload = JSON.stringify(event);
  const signature = stripe.webhooks.generateTestHeaderString({ payload, secret: WEBHOOK_SECRETS.stripe });
  const headers = { "content-type": "application/json", "stripe-signature": signature };
  return send(issuer, "/api/webhooks/stripe", { method: "POST", headers, body: payload });
}

/** Delivers events until `end`, and notes those that were acknowledged. */
export function startSenders(issuer: string) {
  const acknowledged: string[] = [];
  let ended = false;
  const senders = Array.from({ length: SENDERS }, async (_, sender) => {
    for (let turn = 0; !ended; turn++) {
      const id = `${sender}_${turn}`;
      const answer = await deliver(issuer, id).catch(() => undefined);
      if (answer?.status === 200) acknowledged.push(id);
      await pause(answer === undefined ? 100 : randomInt(20));
    }
  });
  const end = async () => {
    ended = true;
    await Promise.all(senders);
  };
  return { acknowledged, end };
}

/** Waits until the server has nothing left to do; then the effect of each acknowledged event happened exactly once. */
export async function expectHandledOnce(databaseUrl: string, acknowledged: readonly string[]): Promise<void> {
  const database = await openDatabase(databaseUrl);
  try {
    await expect.poll(() => unfinished(database), { timeout: 60_000, interval: 200 }).toEqual([]);
    const payments = await paymentsOf(database);
    expect(acknowledged.filter((id) => payments.get(`sub_${id}`) !== 1)).toEqual([]);
    expect([...payments].filter(([, count]) => count !== 1)).toEqual([]);
  } finally {
    await database.close();
  }
}

/** The number of payments that were counted, by subscription. */
async function paymentsOf({ engine }: Database): Promise<Map<string, number>> {
  const query = "select subscription_id, count from product_subscription_payments";
  const rows: { subscription_id: string; count: number }[] =
    engine.dialect === "sqlite"
      ? (engine.connection.prepare(query).all() as { subscription_id: string; count: number }[])
      : (await engine.pool.query(query)).rows;
  return new Map(rows.map(({ subscription_id, count }) => [subscription_id, Number(count)]));
}

async function unfinished({ db }: Database): Promise<unknown[]> {
  const { tables } = db;
  const events = await db
    .select({ state: tables.webhookEvents.state, deliveryId: tables.webhookEvents.deliveryId })
    .from(tables.webhookEvents)
    .where(inArray(tables.webhookEvents.state, ["pending", "failed", "dead"]));
  return [...events, ...(await db.select().from(tables.jobs))];
}
