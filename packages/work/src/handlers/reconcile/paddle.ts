import {
  askJson,
  DAY_SECONDS,
  itemsOf,
  listed,
  member,
  type Reconciler,
  settingOf,
  textOf,
  timeOf,
  urlOf,
} from "./reconciler.ts";

/**
 * `GET /notifications`: what Paddle sent or tries to send, to one destination if the endpoint names it.
 * https://developer.paddle.com/api-reference/notifications/list-notifications
 */
export const paddle: Reconciler = {
  keepSeconds: 90 * DAY_SECONDS,
  async listEvents(ask) {
    const url = urlOf(ask, "https://api.paddle.com", "/notifications", {
      per_page: "200",
      from: timeOf(ask.from),
      to: timeOf(ask.to),
      notification_setting_id: settingOf(ask, "notificationSettingId"),
      after: ask.page ?? undefined,
    });
    const { json } = await askJson(ask, "Paddle", url, { headers: { authorization: `Bearer ${ask.apiKey}` } });
    const items = itemsOf(member(json, "data"), "Paddle");
    const hasMore = member(member(member(json, "meta"), "pagination"), "has_more") === true;
    const last = textOf(member(items.at(-1), "id"));
    return {
      events: items.flatMap((item) => {
        const payload = member(item, "payload");
        return listed(member(payload, "event_id"), payload);
      }),
      next: hasMore && last !== undefined ? last : null,
    };
  },
};
