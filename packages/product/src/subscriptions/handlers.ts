import type { HandlerContext, HandlerMap, KnownEvents } from "@gatehouse/work/handlers";
import { countPayment, writeSubscription } from "./queries.ts";
import { fetchSubscription, idOf, readSubscription, type StripeSubscription } from "./stripe.ts";

type Events = KnownEvents["stripe"];
type SubscriptionEvent =
  Events[`customer.subscription.${"created" | "updated" | "deleted" | "paused" | "resumed" | "trial_will_end"}`];
type InvoiceEvent = Events["invoice.paid" | "invoice.payment_failed"];

// Each handler asks Stripe for the subscription as it is now, so it does not matter in which order events arrive or how
// often they are handled. Without an API key the event's own copy has to do: then the newest copy wins. Each row keeps
// the environment of its event, and whatever reads the table asks for one: anybody who may change a development
// endpoint can send it events with any user's id.

/** Keeps `product_subscriptions` up to date. */
export const subscriptionHandlers = {
  "customer.subscription.created": project,
  "customer.subscription.updated": project,
  "customer.subscription.deleted": project,
  "customer.subscription.paused": project,
  "customer.subscription.resumed": project,
  "customer.subscription.trial_will_end": project,

  async "invoice.paid"(event, context) {
    const id = subscriptionOfInvoice(event);
    if (id === undefined) return; // a one-off invoice
    await refresh(id, event, context);
    if (context.event.environment !== "production" || context.event.mode === "test") return; // a test payment is none
    await context.once("count payment", [
      countPayment(context.db, { endpoint: context.event.endpoint, subscriptionId: id }),
    ]);
  },

  async "invoice.payment_failed"(event, context) {
    const id = subscriptionOfInvoice(event);
    if (id !== undefined) await refresh(id, event, context);
  },

  async "checkout.session.completed"(event, context) {
    const id = idOf(event.data.object.subscription);
    if (id !== undefined) await refresh(id, event, context);
  },
} satisfies HandlerMap["stripe"];

async function project(event: SubscriptionEvent, context: HandlerContext): Promise<void> {
  const copy = readSubscription(event.data.object);
  if (await refresh(copy.id, event, context)) return;
  // `created` has whole seconds. Among events of one second the last step of a subscription's life wins, then the id
  // decides.
  const step = { created: 0, deleted: 2 }[event.type.split(".")[2] ?? ""] ?? 1;
  await write(copy, `${digits(event.created)}.${step}.${event.id}`, event, context);
}

/** Stores the subscription as Stripe has it now. False without an API key. */
async function refresh(id: string, event: StripeEvent, context: HandlerContext): Promise<boolean> {
  const askedAt = context.now();
  const current = await fetchSubscription(id, event.account, context);
  if (current) await write(current, `${digits(askedAt)}.3`, event, context);
  return current !== undefined;
}

type StripeEvent = { id: string; type: string; created: number; account?: string };

async function write(
  subscription: StripeSubscription,
  version: string,
  event: StripeEvent,
  context: HandlerContext,
): Promise<void> {
  const { endpoint, environment } = context.event;
  const last = { lastEventId: event.id, lastEventType: event.type, lastEventAt: event.created };
  await context.db.transaction([
    writeSubscription(context.db, { ...subscription, ...last, endpoint, environment, version }),
  ]);
}

function digits(at: number): string {
  return String(at).padStart(12, "0");
}

/** API versions before 2025-03-31 have the subscription on the invoice itself. */
function subscriptionOfInvoice({ data: { object } }: InvoiceEvent): string | undefined {
  return idOf(object.parent?.subscription_details?.subscription ?? Reflect.get(object, "subscription"));
}
