import {
  type Ask,
  askJson,
  DAY_SECONDS,
  itemsOf,
  type ListedEvent,
  member,
  type Reconciler,
  settingOf,
  textOf,
  urlOf,
} from "./reconciler.ts";

/**
 * `GET <hook>/deliveries`, newest first, where the hook is `/repos/<owner>/<repo>/hooks/<id>` or
 * `/orgs/<org>/hooks/<id>`. https://docs.github.com/en/rest/repos/webhooks#list-deliveries-for-a-repository-webhook
 */
export const github: Reconciler = {
  keepSeconds: 3 * DAY_SECONDS,
  needs: "hookPath",
  async listEvents(ask) {
    const query = { per_page: "100", cursor: ask.page ?? undefined };
    const { json, headers } = await askJson(ask, "GitHub", apiUrl(ask, "/deliveries", query), {
      headers: headersOf(ask),
    });
    const items = itemsOf(json, "GitHub");
    const inPeriod = items.filter((item) => isWithin(timeOfItem(item), ask));
    const passed = items.some((item) => timeOfItem(item) < ask.from);
    return {
      events: inPeriod.flatMap((item) => listedDelivery(item, ask)),
      next: passed ? null : nextCursor(headers["link"]),
    };
  },
};

function listedDelivery(item: unknown, ask: Ask): ListedEvent[] {
  const [guid, id, event] = [textOf(member(item, "guid")), member(item, "id"), textOf(member(item, "event"))];
  if (guid === undefined || event === undefined || typeof id !== "number") return [];
  const load = async () => {
    const { json } = await askJson(ask, "GitHub", apiUrl(ask, `/deliveries/${id}`, {}), { headers: headersOf(ask) });
    const headers = { "content-type": "application/json", "x-github-delivery": guid, "x-github-event": event };
    return { headers, body: JSON.stringify(member(member(json, "request"), "payload")) };
  };
  return [{ id: guid, load }];
}

const timeOfItem = (item: unknown) => Date.parse(textOf(member(item, "delivered_at")) ?? "") / 1000;
const isWithin = (at: number, { from, to }: Ask) => at >= from && at <= to;

function apiUrl(ask: Ask, path: string, query: Record<string, string | undefined>): string {
  const hook = settingOf(ask, "hookPath") ?? "";
  if (!/^\/(repos\/[\w.-]+\/[\w.-]+|orgs\/[\w.-]+)\/hooks\/\d+$/.test(hook) || hook.includes("..")) {
    throw new Error("The setting hookPath must be /repos/<owner>/<repo>/hooks/<id> or /orgs/<org>/hooks/<id>.");
  }
  return urlOf(ask, "https://api.github.com", `${hook}${path}`, query);
}

function headersOf({ apiKey }: Ask): Record<string, string> {
  return {
    authorization: `Bearer ${apiKey}`,
    accept: "application/vnd.github+json",
    "x-github-api-version": "2022-11-28",
  };
}

/** The cursor in `<…?cursor=v1_1234>; rel="next"`. RFC 8288. */
function nextCursor(link: string | string[] | undefined): string | null {
  const [, target] = /<([^<>]+)>;\s*rel="next"/.exec(String(link ?? "")) ?? [];
  return target !== undefined && URL.canParse(target) ? new URL(target).searchParams.get("cursor") : null;
}
