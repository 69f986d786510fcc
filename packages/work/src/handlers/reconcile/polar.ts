import {
  askJson,
  DAY_SECONDS,
  itemsOf,
  listed,
  member,
  type Reconciler,
  settingOf,
  timeOf,
  urlOf,
} from "./reconciler.ts";

/**
 * `GET /v1/webhooks/deliveries`: every attempt to deliver an event, to one endpoint of Polar's if ours names it. The
 * `webhook-id` of a delivery is the id of its event.
 * https://docs.polar.sh/api-reference/webhooks/endpoints/list-deliveries
 */
export const polar: Reconciler = {
  keepSeconds: 30 * DAY_SECONDS,
  async listEvents(ask) {
    const page = Number(ask.page ?? 1);
    const url = urlOf(ask, "https://api.polar.sh", "/v1/webhooks/deliveries", {
      limit: "100",
      page: String(page),
      start_timestamp: timeOf(ask.from),
      end_timestamp: timeOf(ask.to),
      endpoint_id: settingOf(ask, "polarEndpointId"),
    });
    const { json } = await askJson(ask, "Polar", url, { headers: { authorization: `Bearer ${ask.apiKey}` } });
    const lastPage = member(member(json, "pagination"), "max_page");
    return {
      events: itemsOf(member(json, "items"), "Polar").flatMap((item) => {
        const event = member(item, "webhook_event");
        const [id, payload] = [member(event, "id"), member(event, "payload")];
        // Archived events have no payload
        return payload === null ? [] : listed(id, payload, { "webhook-id": String(id) });
      }),
      next: typeof lastPage === "number" && page < lastPage ? String(page + 1) : null,
    };
  },
};
