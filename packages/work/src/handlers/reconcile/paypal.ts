import {
  type Ask,
  askJson,
  DAY_SECONDS,
  itemsOf,
  listed,
  member,
  type Reconciler,
  textOf,
  timeOf,
  urlOf,
} from "./reconciler.ts";

const LIVE = "https://api-m.paypal.com";
const PATH = "/v1/notifications/webhooks-events";

/**
 * `GET /v1/notifications/webhooks-events`. The API key is `<client id>:<secret>` of the app.
 * https://developer.paypal.com/docs/api/webhooks/v1/#webhooks-events_list
 */
export const paypal: Reconciler = {
  keepSeconds: 30 * DAY_SECONDS,
  async listEvents(ask) {
    const first = { page_size: "100", start_time: timeOf(ask.from), end_time: timeOf(ask.to) };
    // The next page is a link. Only its query is used, so that the token is sent nowhere else.
    const query = ask.page === null ? first : Object.fromEntries(new URLSearchParams(ask.page));
    const url = urlOf(ask, LIVE, PATH, query);
    const { json } = await askJson(ask, "PayPal", url, {
      headers: { authorization: `Bearer ${await accessToken(ask)}` },
    });
    return {
      events: itemsOf(member(json, "events") ?? [], "PayPal").flatMap((item) => listed(member(item, "id"), item)),
      next: nextOf(json),
    };
  },
};

async function accessToken(ask: Ask): Promise<string> {
  const url = urlOf(ask, LIVE, "/v1/oauth2/token", {});
  const headers = { authorization: `Basic ${Buffer.from(ask.apiKey).toString("base64")}` };
  const { json } = await askJson(ask, "PayPal", url, { headers, body: "grant_type=client_credentials" });
  const token = textOf(member(json, "access_token"));
  if (token === undefined)
    throw new Error("PayPal issued no access token. The API key must be <client id>:<secret> of the app.");
  return token;
}

function nextOf(json: unknown): string | null {
  const links = member(json, "links");
  const next = Array.isArray(links) ? links.find((link) => member(link, "rel") === "next") : undefined;
  const href = textOf(member(next, "href"));
  return href !== undefined && URL.canParse(href) ? new URL(href).search.slice(1) : null;
}
