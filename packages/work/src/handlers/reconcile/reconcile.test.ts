import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { createOutbound } from "@gatehouse/auth";
import { findReconciliation } from "@gatehouse/db/stores/webhooks/reconciliations";
import { engines } from "@gatehouse/db/testing/engines";
import { PROVIDERS, type ProviderSlug } from "@gatehouse/webhooks";
import { afterEach, describe, expect, test } from "vitest";
import { defineHandlers } from "../define.ts";
import { createSendRequest } from "../request.ts";
import { type Inbox, openInbox } from "../testing/inbox.ts";
import { RECONCILERS } from "./index.ts";
import { scheduleReconciliations } from "./queue.ts";
import type { Ask, EventPage } from "./reconciler.ts";

type Answer = (request: {
  method: string;
  url: URL;
  headers: IncomingMessage["headers"];
  body: string;
  origin: string;
}) => {
  status?: number;
  json: unknown;
  headers?: Record<string, string>;
};

const running: (() => void)[] = [];
afterEach(() => {
  for (const close of running.splice(0)) close();
});

/** A vendor's API on loopback. */
async function vendor(answer: Answer): Promise<string> {
  const server = createServer(async (request, response) => {
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const url = new URL(request.url ?? "/", origin);
    const {
      status = 200,
      json,
      headers = {},
    } = answer({ method: request.method ?? "", url, headers: request.headers, body: await text(request), origin });
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(json));
  }).listen(0, "127.0.0.1");
  running.push(() => server.close());
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const request = createSendRequest(createOutbound({ allowLoopback: true }).fetchBytes);

/** The two pages of a list: the events 3 and 2, then 1. */
const bearer = { authorization: "Bearer key" };
const payload = (id: number) => ({
  id: `evt_${id}`,
  type: "invoice.paid",
  created: id,
  data: { object: { id: `in_${id}` } },
});

/** Each vendor's documented JSON, in two pages. What is asked is checked here too. */
const VENDORS: Record<string, { settings?: Record<string, unknown>; key?: string; answer: Answer; ids: string[] }> = {
  stripe: {
    ids: ["evt_3", "evt_2", "evt_1"],
    answer: ({ url, headers }) => {
      expect([url.pathname, url.searchParams.get("delivery_success"), url.searchParams.get("created[gte]")]).toEqual([
        "/v1/events",
        "false",
        "1000",
      ]);
      expect(headers).toMatchObject(bearer);
      const second = url.searchParams.get("starting_after") === "evt_2";
      return {
        json: {
          object: "list",
          url: "/v1/events",
          has_more: !second,
          data: second ? [payload(1)] : [payload(3), payload(2)],
        },
      };
    },
  },
  paddle: {
    settings: { notificationSettingId: "ntfset_1" },
    ids: ["evt_3", "evt_2", "evt_1"],
    answer: ({ url, headers }) => {
      expect([url.pathname, url.searchParams.get("notification_setting_id"), url.searchParams.get("from")]).toEqual([
        "/notifications",
        "ntfset_1",
        "1970-01-01T00:16:40.000Z",
      ]);
      expect(headers).toMatchObject(bearer);
      const notification = (id: number) => ({
        id: `ntf_${id}`,
        type: "transaction.paid",
        status: "failed",
        notification_setting_id: "ntfset_1",
        payload: {
          event_id: `evt_${id}`,
          event_type: "transaction.paid",
          occurred_at: "2026-11-01T00:00:00Z",
          notification_id: `ntf_${id}`,
          data: {},
        },
      });
      const second = url.searchParams.get("after") === "ntf_2";
      const data = second ? [notification(1)] : [notification(3), notification(2)];
      return {
        json: {
          data,
          meta: { request_id: "r", pagination: { per_page: 200, next: "…", has_more: !second, estimated_total: 3 } },
        },
      };
    },
  },
  polar: {
    ids: ["33333333-0000-4000-8000-000000000000", "11111111-0000-4000-8000-000000000000"],
    answer: ({ url, headers }) => {
      expect([url.pathname, url.searchParams.get("start_timestamp")]).toEqual([
        "/v1/webhooks/deliveries",
        "1970-01-01T00:16:40.000Z",
      ]);
      expect(headers).toMatchObject(bearer);
      const page = Number(url.searchParams.get("page"));
      const delivery = (id: string, body: string | null) => ({
        id: `d${id}`,
        succeeded: false,
        webhook_event: { id, type: "order.paid", payload: body },
      });
      const items =
        page === 1
          ? [
              delivery("33333333-0000-4000-8000-000000000000", '{"type":"order.paid","data":{"id":"o3"}}'),
              delivery("22222222-0000-4000-8000-000000000000", null),
            ]
          : [delivery("11111111-0000-4000-8000-000000000000", '{"type":"order.paid","data":{"id":"o1"}}')];
      return { json: { items, pagination: { total_count: 3, max_page: 2 } } };
    },
  },
  square: {
    ids: ["evt_3", "evt_2", "evt_1"],
    answer: ({ method, url, headers, body }) => {
      const asked = JSON.parse(body);
      expect([method, url.pathname, asked.query.filter.created_at.start_at]).toEqual([
        "POST",
        "/v2/events",
        "1970-01-01T00:16:40.000Z",
      ]);
      expect(headers).toMatchObject({ ...bearer, "content-type": "application/json" });
      const event = (id: number) => ({
        merchant_id: "m",
        type: "payment.updated",
        event_id: `evt_${id}`,
        created_at: "2026-11-01T00:00:00Z",
        data: {},
      });
      return {
        json: asked.cursor === "next" ? { events: [event(1)] } : { events: [event(3), event(2)], cursor: "next" },
      };
    },
  },
  paypal: {
    key: "client:secret",
    ids: ["WH-3", "WH-2", "WH-1"],
    answer: ({ method, url, headers, body, origin }) => {
      if (url.pathname === "/v1/oauth2/token") {
        expect([method, headers.authorization, body]).toEqual([
          "POST",
          `Basic ${btoa("client:secret")}`,
          "grant_type=client_credentials",
        ]);
        return { json: { access_token: "token", token_type: "Bearer" } };
      }
      expect([url.pathname, headers.authorization]).toEqual(["/v1/notifications/webhooks-events", "Bearer token"]);
      const event = (id: number) => ({ id: `WH-${id}`, event_type: "PAYMENT.SALE.COMPLETED", resource: { id: "s" } });
      if (url.searchParams.get("start_id") === "WH-1") return { json: { events: [event(1)], count: 1, links: [] } };
      const next = {
        href: `${origin}/v1/notifications/webhooks-events?page_size=100&start_id=WH-1`,
        rel: "next",
        method: "GET",
      };
      return { json: { events: [event(3), event(2)], count: 2, links: [next] } };
    },
  },
  github: {
    settings: { hookPath: "/repos/acme/shop/hooks/7" },
    ids: ["guid-3", "guid-2", "guid-1"],
    answer: ({ url, headers, origin }) => {
      expect(headers).toMatchObject({ ...bearer, accept: "application/vnd.github+json" });
      const item = (id: number) => ({
        id,
        guid: `guid-${id}`,
        delivered_at: new Date((2000 + id) * 1000).toISOString(),
        event: "issues",
        action: "opened",
      });
      const [, id] = /deliveries\/(\d)$/.exec(url.pathname) ?? [];
      if (id)
        return {
          json: { ...item(Number(id)), request: { headers: {}, payload: { action: "opened", issue: { id } } } },
        };
      expect(url.pathname).toBe("/repos/acme/shop/hooks/7/deliveries");
      if (url.searchParams.get("cursor") === "v1_2")
        return { json: [item(1), { ...item(0), delivered_at: "1970-01-01T00:00:01Z" }] };
      return {
        json: [item(3), item(2)],
        headers: { link: `<${origin}/x?per_page=100&cursor=v1_2>; rel="next", <${origin}/x>; rel="prev"` },
      };
    },
  },
};

describe("asking providers for their events", () => {
  test("every reconciler is tested here, and its adapter says so", () => {
    expect(Object.keys(VENDORS).sort()).toEqual(Object.keys(RECONCILERS).sort());
    for (const slug of Object.keys(RECONCILERS))
      expect(PROVIDERS[slug as ProviderSlug].facts.reconcile, slug).toBe(true);
  });

  test.each(Object.entries(VENDORS))(
    "%s lists its events page by page",
    async (slug, { answer, ids, settings = {}, key = "key" }) => {
      const apiBaseUrl = await vendor(answer);
      const found: string[] = [];
      let page: string | null = null;
      do {
        const ask: Ask = {
          from: 1000,
          to: 9000,
          page,
          apiKey: key,
          settings: { ...settings, apiBaseUrl },
          request,
          signal: AbortSignal.timeout(10_000),
        };
        const answered: EventPage | undefined = await RECONCILERS[slug]?.listEvents(ask);
        for (const one of answered?.events ?? []) {
          found.push(one.id);
          expect(JSON.parse((await one.load()).body)).toBeTypeOf("object");
        }
        page = answered?.next ?? null;
      } while (page !== null);
      expect(found).toEqual(ids);
    },
  );

  test.each(Object.entries(VENDORS))(
    "%s: a refused key and an answer without a list are errors, never an empty list",
    async (slug, { settings = {} }) => {
      const ask = { from: 1000, to: 9000, page: null, apiKey: "a:b", request, signal: AbortSignal.timeout(10_000) };
      const refusing = await vendor(() => ({ status: 401, json: {} }));
      await expect(
        RECONCILERS[slug]?.listEvents({ ...ask, settings: { ...settings, apiBaseUrl: refusing } }),
      ).rejects.toThrow("refused the API key");
      const odd = await vendor(({ url }) => ({
        json: url.pathname.endsWith("token") ? { access_token: "t" } : { events: "none" },
      }));
      await expect(
        RECONCILERS[slug]?.listEvents({ ...ask, settings: { ...settings, apiBaseUrl: odd } }),
      ).rejects.toThrow("without a list");
    },
  );
});

describe.each(engines)("events that never came, on $name", (engine) => {
  let inbox: Inbox;
  afterEach(() => inbox.close());

  const handlers = () => {
    const seen: string[] = [];
    return { seen, handlers: defineHandlers({ stripe: { "invoice.paid": async ({ id }) => void seen.push(id) } }) };
  };

  test("are stored and handled like delivered ones, each once, and the endpoint is complete up to then", async () => {
    const apiBaseUrl = await vendor(({ url }) => {
      const second = url.searchParams.get("starting_after") !== null;
      return { json: { has_more: !second, data: second ? [payload(1)] : [payload(3), payload(2)] } };
    });
    const { seen, handlers: defined } = handlers();
    inbox = await openInbox(engine, { handlers: defined, request, apiKey: "sk_1", settings: { apiBaseUrl } });
    await inbox.deliver(payload(2));
    await scheduleReconciliations(inbox.deps);
    await scheduleReconciliations(inbox.deps); // nothing is due now
    await inbox.settle();
    expect(seen.sort()).toEqual(["evt_1", "evt_2", "evt_3"]);
    expect(
      (await inbox.deliveries()).map(({ source, eventId, outcome }) => `${source} ${eventId} ${outcome}`).sort(),
    ).toEqual(["http evt_2 accepted", "reconcile evt_1 accepted", "reconcile evt_3 accepted"]);
    const row = await findReconciliation(inbox.db, "stripe");
    expect(row).toMatchObject({ recovered: 2, cursor: null, lastError: null });
    expect(row?.completeUpTo).toBeGreaterThan(0);
  });

  test.each([
    ["the same API", (here: string) => here, "evt_0"],
    ["an API that the endpoint pointed to before", () => "https://elsewhere.example", null],
  ])("a comparison that was interrupted goes on at a page of the same API alone: %s", async (_, addressOf, asked) => {
    const pages: (string | null)[] = [];
    const apiBaseUrl = await vendor(({ url }) => {
      pages.push(url.searchParams.get("starting_after"));
      return { json: { has_more: false, data: [] } };
    });
    inbox = await openInbox(engine, {
      handlers: handlers().handlers,
      request,
      apiKey: "sk_1",
      settings: { apiBaseUrl },
    });
    const cursor = JSON.stringify({ from: 1000, to: 9000, page: "evt_0", address: addressOf(apiBaseUrl) });
    await inbox.db
      .insert(inbox.db.tables.webhookReconciliations)
      .values({ endpoint: "stripe", recovered: 0, nextRunAt: 0, cursor });
    await scheduleReconciliations(inbox.deps);
    await inbox.settle();
    expect(pages).toEqual([asked]);
  });

  test("nothing is asked for without an API key", async () => {
    inbox = await openInbox(engine, { handlers: handlers().handlers });
    await scheduleReconciliations(inbox.deps);
    expect(await inbox.jobs()).toEqual([]);
  });

  test("a provider that refuses the key leaves the reason, and the endpoint is not called complete", async () => {
    const apiBaseUrl = await vendor(() => ({ status: 401, json: {} }));
    inbox = await openInbox(engine, {
      handlers: handlers().handlers,
      request,
      apiKey: "sk_1",
      settings: { apiBaseUrl },
    });
    await scheduleReconciliations(inbox.deps);
    await inbox.settle();
    const lastError = "Stripe refused the API key (status 401). Give the endpoint a valid one.";
    expect(await findReconciliation(inbox.db, "stripe")).toMatchObject({ lastError, completeUpTo: null, recovered: 0 });
  });
});
