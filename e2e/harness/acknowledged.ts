import { randomInt } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { type Database, openDatabase } from "@gatehouse/db/database";
import { eq, inArray } from "drizzle-orm";
import Stripe from "stripe";
import { expect } from "vitest";
import { WEBHOOK_SECRETS } from "./fixture.ts";
import { type Answer, send } from "./http.ts";

const SENDERS = 4;
const stripe = new Stripe("sk_test_never_used");

/**
 * A signed delivery of a paid invoice of a subscription of its own, which the product's handler counts in a write that
 * may happen once.
 */
export function signedEvent(id: string): { headers: Record<string, string>; body: string } {
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
  return { headers: { "content-type": "application/json", "stripe-signature": signature }, body: payload };
}

/** Sends {@link signedEvent}. */
export function deliver(issuer: string, id: string): Promise<Answer> {
  return send(issuer, "/api/webhooks/stripe", { method: "POST", ...signedEvent(id) });
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

/**
 * Waits until the server has nothing left to do; then the effect of each acknowledged event happened exactly once.
 * `seconds`: how long it may take.
 */
export async function expectHandledOnce(
  databaseUrl: string,
  acknowledged: readonly string[],
  seconds = 60,
): Promise<void> {
  const database = await openDatabase(databaseUrl);
  try {
    const left = async () => (await unfinished(database)).length;
    await expect.poll(left, { timeout: seconds * 1_000, interval: 200 }).toBe(0);
    const payments = await paymentsOf(database);
    expect(acknowledged.filter((id) => payments.get(`sub_${id}`) !== 1)).toEqual([]);
    expect([...payments].filter(([, count]) => count !== 1)).toEqual([]);
  } finally {
    await database.close();
  }
}

/** The same while more events arrive: all of these are in the inbox, and no event was handled twice. */
export async function expectKept(databaseUrl: string, acknowledged: readonly string[]): Promise<void> {
  const database = await openDatabase(databaseUrl);
  try {
    const { webhookDeliveries: deliveries } = database.db.tables;
    const kept = await database.db
      .select({ id: deliveries.eventId })
      .from(deliveries)
      .where(eq(deliveries.outcome, "accepted"));
    const ids = new Set(kept.map(({ id }) => id));
    expect(acknowledged.filter((id) => !ids.has(`evt_${id}`))).toEqual([]);
    expect([...(await paymentsOf(database))].filter(([, count]) => count !== 1)).toEqual([]);
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
