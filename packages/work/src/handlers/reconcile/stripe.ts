import { askJson, DAY_SECONDS, itemsOf, listed, member, type Reconciler, textOf, urlOf } from "./reconciler.ts";

/**
 * `GET /v1/events` with `delivery_success=false`: those that at least one webhook endpoint of the account has not
 * acknowledged. https://docs.stripe.com/api/events/list
 */
export const stripe: Reconciler = {
  keepSeconds: 30 * DAY_SECONDS,
  async listEvents(ask) {
    const url = urlOf(ask, "https://api.stripe.com", "/v1/events", {
      limit: "100",
      delivery_success: "false",
      "created[gte]": String(ask.from),
      "created[lte]": String(ask.to),
      starting_after: ask.page ?? undefined,
    });
    const { json } = await askJson(ask, "Stripe", url, { headers: { authorization: `Bearer ${ask.apiKey}` } });
    const items = itemsOf(member(json, "data"), "Stripe");
    const last = textOf(member(items.at(-1), "id"));
    return {
      events: items.flatMap((item) => listed(member(item, "id"), item)),
      next: member(json, "has_more") === true && last !== undefined ? last : null,
    };
  },
};
