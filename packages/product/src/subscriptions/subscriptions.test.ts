import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createOutbound, type Environment } from "@gatehouse/auth";
import { engines } from "@gatehouse/db/testing/engines";
import { createSendRequest, defineHandlers } from "@gatehouse/work/handlers";
import { type Inbox, openInbox } from "@gatehouse/work/handlers/testing";
import { afterEach, describe, expect, test } from "vitest";
import { migrations } from "../index.ts";
import { subscriptionHandlers } from "./handlers.ts";
import { listSubscriptions } from "./queries.ts";

const handlers = defineHandlers({ stripe: subscriptionHandlers });
const END = 1_900_000_000;

/** A subscription as Stripe describes it. */
const subscription = (status: string, more: object = {}) => ({
  id: "sub_1",
  object: "subscription",
  status,
  customer: "cus_1",
  cancel_at_period_end: false,
  metadata: { user_id: "ada" },
  items: { data: [{ current_period_end: END, price: { id: "price_1", nickname: "Team", lookup_key: null } }] },
  ...more,
});

const stripeEvent = (id: string, type: string, created: number, object: object) => ({
  id,
  type,
  created,
  object: "event",
  data: { object },
});
const invoice = (id: string) => ({
  id,
  object: "invoice",
  parent: { subscription_details: { subscription: "sub_1" } },
});

/** The life of a subscription; two of its events are of the same second. */
const LIFE = [
  stripeEvent("evt_a", "customer.subscription.created", 100, subscription("incomplete")),
  stripeEvent("evt_b", "customer.subscription.updated", 100, subscription("active")),
  stripeEvent("evt_c", "invoice.paid", 101, invoice("in_1")),
  stripeEvent("evt_d", "customer.subscription.updated", 200, subscription("past_due")),
  stripeEvent("evt_e", "invoice.paid", 250, invoice("in_2")),
  stripeEvent("evt_f", "customer.subscription.updated", 300, subscription("active", { cancel_at_period_end: true })),
  stripeEvent("evt_g", "customer.subscription.deleted", 400, subscription("canceled")),
];

const weight = (id: string, seed: number) => (id.charCodeAt(4) * (seed * 7 + 3)) % 11;
/** Orders that differ from each other, the same in every run. */
const ORDERS = [0, 1, 2, 3, 4, 5].map((seed) => LIFE.toSorted((a, b) => weight(a.id, seed) - weight(b.id, seed)));

describe.each(engines)("subscriptions from Stripe events on $name", (engine) => {
  let inbox: Inbox;
  const closing: (() => void)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) close();
    await inbox.close();
  });

  const list = () =>
    listSubscriptions(inbox.db, { userId: undefined, environment: undefined, position: undefined, limit: 10 });

  async function deliverAll(events: readonly object[]) {
    for (const event of events) await inbox.deliver(event);
    await inbox.settle();
    expect((await inbox.attempts()).map(({ error }) => error).filter(Boolean)).toEqual([]);
  }

  test.each(ORDERS.map((order) => [order.map(({ id }) => id.at(-1)).join(""), order] as const))(
    "without an API key, the newest copy wins whatever the order (%s)",
    async (_, order) => {
      inbox = await openInbox(engine, { handlers, migrations });
      await deliverAll(order);
      expect(await list()).toMatchObject([
        {
          id: "sub_1",
          endpoint: "stripe",
          environment: "production",
          status: "canceled",
          plan: "Team",
          userId: "ada",
          customerId: "cus_1",
          periodEndAt: END,
          cancelAtPeriodEnd: false,
          lastEventId: "evt_g",
          lastEventType: "customer.subscription.deleted",
          payments: 2,
        },
      ]);
    },
  );

  test("with an API key, each event fetches the state as it is now", async () => {
    const asked: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      asked.push(`${request.headers.authorization} ${request.url}`);
      response.setHeader("content-type", "application/json").end(JSON.stringify(subscription("trialing")));
    }).listen(0, "127.0.0.1");
    closing.push(() => server.close());
    await once(server, "listening");
    const apiBaseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const request = createSendRequest(createOutbound({ allowLoopback: true }).fetchBytes);
    inbox = await openInbox(engine, {
      handlers,
      migrations,
      apiKey: "sk_test_1",
      settings: { apiBaseUrl },
      request,
    });
    await deliverAll(LIFE.toReversed());
    expect(await list()).toMatchObject([{ status: "trialing", lastEventId: "evt_g", payments: 2 }]);
    expect(new Set(asked)).toEqual(new Set(["Bearer sk_test_1 /v1/subscriptions/sub_1"]));
  });

  test("an event of a development endpoint shows no user a subscription of production, and counts no payment", async () => {
    inbox = await openInbox(engine, { handlers, migrations, environment: "development" });
    await deliverAll(LIFE);
    const ofAda = (environment: Environment) =>
      listSubscriptions(inbox.db, { userId: "ada", environment, position: undefined, limit: 10 });
    expect(await ofAda("production")).toEqual([]);
    expect(await ofAda("development")).toMatchObject([{ id: "sub_1", environment: "development", payments: 0 }]);
  });

  test("after an endpoint was moved to production, its earlier events outweigh none of production", async () => {
    inbox = await openInbox(engine, { handlers, migrations, environment: "development" });
    await deliverAll([stripeEvent("evt_z", "customer.subscription.updated", 9_000_000_000, subscription("active"))]);
    await inbox.db.update(inbox.db.tables.webhookEndpoints).set({ environment: "production" });
    await deliverAll([stripeEvent("evt_a", "customer.subscription.updated", 300, subscription("past_due"))]);
    expect(await list()).toMatchObject([{ environment: "production", status: "past_due", lastEventId: "evt_a" }]);
  });

  test("a payment is counted once, although the provider repeats the event", async () => {
    inbox = await openInbox(engine, { handlers, migrations });
    await deliverAll([...LIFE, ...LIFE]);
    expect(await list()).toMatchObject([{ payments: 2 }]);
  });
});
