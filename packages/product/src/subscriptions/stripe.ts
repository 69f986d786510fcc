import type { HandlerContext } from "@gatehouse/work/handlers";
import { z } from "zod";
import type { SubscriptionRow } from "./queries.ts";

export type StripeSubscription = Pick<
  SubscriptionRow,
  "id" | "userId" | "customerId" | "status" | "plan" | "periodEndAt" | "cancelAtPeriodEnd"
>;

const reference = z.union([z.string(), z.object({ id: z.string() })]);
const price = z.object({ id: z.string(), nickname: z.string().nullish(), lookup_key: z.string().nullish() });
/** The members that are read here. https://docs.stripe.com/api/subscriptions/object */
const schema = z.object({
  id: z.string(),
  status: z.string(),
  customer: reference,
  cancel_at_period_end: z.boolean(),
  /** On the items since API version 2025-03-31. */
  current_period_end: z.int().nullish(),
  items: z.object({ data: z.array(z.object({ current_period_end: z.int().nullish(), price: price.nullish() })) }),
  metadata: z.record(z.string(), z.string()).nullish(),
});

/** The id of a Stripe object, expanded or not. */
export function idOf(value: unknown): string | undefined {
  const { data } = reference.safeParse(value);
  return typeof data === "string" ? data : data?.id;
}

/** Reads a subscription in Stripe's JSON. Throws for any other JSON. */
export function readSubscription(json: unknown): StripeSubscription {
  const { id, status, customer, cancel_at_period_end, current_period_end, items, metadata } = schema.parse(json);
  const [first] = items.data;
  return {
    id,
    status,
    customerId: idOf(customer) ?? "",
    plan: first?.price?.nickname ?? first?.price?.lookup_key ?? first?.price?.id ?? "none",
    periodEndAt: first?.current_period_end ?? current_period_end ?? null,
    cancelAtPeriodEnd: cancel_at_period_end,
    userId: metadata?.["user_id"] ?? null,
  };
}

/**
 * Asks Stripe for a subscription: `GET /v1/subscriptions/<id>`. Undefined if the endpoint has no API key. Throws when
 * Stripe does not answer with a subscription.
 */
export async function fetchSubscription(
  id: string,
  account: string | undefined,
  { apiKey, request, settings, signal, event }: HandlerContext,
): Promise<StripeSubscription | undefined> {
  const key = await apiKey();
  if (key === undefined) return undefined;
  const base = typeof settings["apiBaseUrl"] === "string" ? settings["apiBaseUrl"] : "https://api.stripe.com";
  const headers = { authorization: `Bearer ${key}`, ...(account !== undefined && { "stripe-account": account }) };
  const { status, text } = await request(new URL(`/v1/subscriptions/${encodeURIComponent(id)}`, base).href, {
    headers,
    signal,
  });
  if (status === 200) return readSubscription(JSON.parse(text));
  if (status === 401 || status === 403)
    throw new Error(
      `Stripe refused the API key of the endpoint ${event.endpoint} (status ${status}). Give the endpoint a valid one.`,
    );
  throw new Error(`Stripe answered ${status} when asked for the subscription ${id}.`);
}
