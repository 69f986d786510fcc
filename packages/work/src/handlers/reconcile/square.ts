import { askJson, DAY_SECONDS, itemsOf, listed, member, type Reconciler, textOf, timeOf, urlOf } from "./reconciler.ts";

/**
 * `POST /v2/events`: the events of the last 28 days, once they are enabled for the application.
 * https://developer.squareup.com/reference/square/events-api/SearchEvents
 */
export const square: Reconciler = {
  keepSeconds: 28 * DAY_SECONDS,
  async listEvents(ask) {
    const url = urlOf(ask, "https://connect.squareup.com", "/v2/events", {});
    const query = { filter: { created_at: { start_at: timeOf(ask.from), end_at: timeOf(ask.to) } } };
    const { json } = await askJson(ask, "Square", url, {
      headers: { authorization: `Bearer ${ask.apiKey}`, "content-type": "application/json" },
      body: JSON.stringify({ limit: 100, query, ...(ask.page !== null && { cursor: ask.page }) }),
    });
    return {
      // Without events there is no such member.
      events: itemsOf(member(json, "events") ?? [], "Square").flatMap((item) => listed(member(item, "event_id"), item)),
      next: textOf(member(json, "cursor")) ?? null,
    };
  },
};
