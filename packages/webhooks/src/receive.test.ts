import { describe, expect, test } from "vitest";
import { enabled, NOW, receiver, type Sent, STANDARD_SECRET, STRIPE_SECRET } from "./testing/scene.ts";
import { signedBy, stripeHeaders } from "./testing/signers.ts";

const EVENT = '{"id":"evt_1","object":"event","type":"invoice.paid"}';
const signed = (body: string | Uint8Array<ArrayBuffer>, timestamp = NOW): Sent => ({
  body,
  headers: stripeHeaders(body, STRIPE_SECRET, timestamp),
});
const withHeaders = (sent: Sent, headers: Record<string, string>): Sent => ({
  ...sent,
  headers: { ...sent.headers, ...headers },
});
const json = { "content-type": "application/json" };
const oversize = "x".repeat(1024 * 1024 + 1);

function chunked(text: string): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, at + 65_536));
      at += 65_536;
    },
  });
}

describe("the response matrix", () => {
  const rows: [string, number, string, Sent][] = [
    ["signed and new", 200, "accepted", signed(EVENT)],
    ["signed, of an unknown type", 200, "accepted", signed('{"id":"evt_2","type":"moon.landed"}')],
    ["signed, five minutes ago", 200, "accepted", signed(EVENT, NOW - 300)],
    ["signed, five minutes ahead", 200, "accepted", signed(EVENT, NOW + 300)],
    ["signed, with identity encoding", 200, "accepted", withHeaders(signed(EVENT), { "content-encoding": "identity" })],
    ["signed, with a byte order mark", 200, "accepted", signed(`\uFEFF${EVENT}`)],
    ["no signature", 400, "signature_missing", { body: EVENT, headers: json }],
    ["no signature, no content type, no body", 400, "signature_missing", {}],
    [
      "an empty signature header",
      400,
      "signature_missing",
      { body: EVENT, headers: { ...json, "stripe-signature": " " } },
    ],
    ["a signature of other bytes", 400, "signature_mismatch", { ...signed(EVENT), body: `${EVENT} ` }],
    [
      "a signature under another secret",
      400,
      "signature_mismatch",
      { body: EVENT, headers: stripeHeaders(EVENT, "whsec_other", NOW) },
    ],
    [
      "garbage for a signature",
      400,
      "signature_malformed",
      { body: EVENT, headers: { ...json, "stripe-signature": "garbage" } },
    ],
    [
      "only v0",
      400,
      "signature_scheme_unknown",
      { body: EVENT, headers: { ...json, "stripe-signature": `t=${NOW},v0=${"0".repeat(64)}` } },
    ],
    ["signed 301 s ago", 400, "timestamp_too_old", signed(EVENT, NOW - 301)],
    ["signed 301 s ahead", 400, "timestamp_in_future", signed(EVENT, NOW + 301)],
    ["signed, not JSON", 400, "unparsable", signed("<xml/>")],
    ["signed, empty", 400, "unparsable", signed("")],
    ["signed, not UTF-8", 400, "unparsable", signed(new Uint8Array([0x22, 0xff, 0xfe, 0x22]))],
    ["GET", 405, "method_not_allowed", { method: "GET" }],
    ["PUT, signed", 405, "method_not_allowed", { ...signed(EVENT), method: "PUT" }],
    [
      "a form",
      415,
      "content_type_unsupported",
      withHeaders(signed(EVENT), { "content-type": "application/x-www-form-urlencoded" }),
    ],
    ["compressed", 415, "content_type_unsupported", withHeaders(signed(EVENT), { "content-encoding": "gzip" })],
    [
      "an announced length over 1 MiB",
      413,
      "payload_too_large",
      withHeaders(signed(EVENT), { "content-length": "1048577" }),
    ],
    ["over 1 MiB in chunks", 413, "payload_too_large", { body: chunked(oversize), headers: json }],
    ["over 1 MiB, signed", 413, "payload_too_large", signed(oversize)],
  ];

  test.each(rows)("%s → %i %s, recorded as a row", async (_, status, reason, sent) => {
    const { send, store } = receiver({ stripe: enabled(STRIPE_SECRET) });
    const response = await send("stripe", sent);
    expect(response.status).toBe(status);
    const body = await response.json();
    expect(body).toEqual(
      status === 200 ? { received: true } : { error: expect.any(String), reason, message: expect.any(String) },
    );
    expect(response.headers.get("allow")).toBe(status === 405 ? "POST" : null);
    expect(store.deliveries).toMatchObject([
      { id: response.headers.get("gatehouse-delivery-id"), endpoint: "stripe", reason, status, receivedAt: NOW },
    ]);
  });

  test("provider_disabled: a disabled provider → 404, signed or not", async () => {
    const { send, store } = receiver({ stripe: { ...enabled(STRIPE_SECRET), enabled: false } });
    for (const sent of [signed(EVENT), { body: EVENT, headers: json }]) {
      const response = await send("stripe", sent);
      expect([response.status, await response.json()]).toEqual([
        404,
        expect.objectContaining({ reason: "provider_disabled" }),
      ]);
    }
    expect(store.deliveries).toHaveLength(2);
    expect(store.events.size).toBe(0);
  });

  test("an endpoint of its own slug has its own secrets, events and rows, and its environment's settings", async () => {
    const staging = { ...enabled("whsec_staging"), provider: "stripe", environment: "staging" as const };
    const { send, store } = receiver({ stripe: enabled(STRIPE_SECRET), "stripe-eu": staging });
    const body = EVENT;
    expect((await send("stripe-eu", signed(EVENT))).status).toBe(400);
    for (const [slug, secret] of [
      ["stripe", STRIPE_SECRET],
      ["stripe-eu", "whsec_staging"],
    ] as const) {
      const response = await send(slug, { body, headers: stripeHeaders(body, secret, NOW) });
      expect([response.status, await response.json()]).toEqual([200, { received: true }]);
    }
    expect(store.deliveries.map(({ endpoint, environment, reason }) => [endpoint, environment, reason])).toEqual([
      ["stripe-eu", "staging", "signature_mismatch"],
      ["stripe", "production", "accepted"],
      ["stripe-eu", "staging", "accepted"],
    ]);
  });

  test("each environment has events of its own: what an endpoint got in staging makes nothing a duplicate in production", async () => {
    const shop = { ...enabled(STRIPE_SECRET), provider: "stripe", environment: "staging" as const };
    const { send, store } = receiver({ shop });
    const answers = async () => (await send("shop", signed(EVENT))).json();
    expect([await answers(), await answers()]).toEqual([{ received: true }, { received: true, duplicate: true }]);
    store.endpoints.set("shop", { ...shop, slug: "shop", environment: "production" });
    expect([await answers(), await answers()]).toEqual([{ received: true }, { received: true, duplicate: true }]);
  });

  test("a default endpoint that nobody has set up answers as any other, and its rejections are counted without rows", async () => {
    const { send, store } = receiver({});
    expect((await send("stripe", { body: EVENT, headers: json })).status).toBe(400);
    expect((await send("stripe", signed(EVENT))).status).toBe(503);
    expect(store.deliveries).toEqual([]);
    expect([...store.overflow]).toEqual([
      ["stripe signature_missing", 1],
      ["stripe secret_not_configured", 1],
    ]);
  });

  test("an endpoint of a provider that this release does not know → 404, counted", async () => {
    const { send, store } = receiver({ old: { ...enabled("s"), provider: "removed" } });
    expect((await send("old", signed(EVENT))).status).toBe(404);
    expect([...store.overflow]).toEqual([["unknown provider_unknown", 1]]);
  });

  test("a slug that no endpoint can have is not looked up", async () => {
    const { send, store } = receiver({});
    store.findEndpoint = () => Promise.reject(new Error("looked up"));
    for (const slug of ["Stripe", "-stripe", "stripe/x", "stripe ", "a".repeat(64), "", "__proto__", "stripé"]) {
      expect((await send(slug, signed(EVENT))).status).toBe(404);
    }
  });

  test("API keys never verify a signature", async () => {
    const { send } = receiver({ stripe: { ...enabled(), apiKeys: [{ id: "k", value: STRIPE_SECRET }] } });
    expect((await send("stripe", signed(EVENT))).status).toBe(503);
  });

  test.each([
    [20, "timestamp_too_old"],
    [21, "accepted"],
  ])("the endpoint's tolerance of %i s replaces the provider's: 21 s ago → %s", async (toleranceSeconds, reason) => {
    const { send, store } = receiver({ stripe: { ...enabled(STRIPE_SECRET), settings: { toleranceSeconds } } });
    await send("stripe", signed(EVENT, NOW - 21));
    expect(store.deliveries).toMatchObject([{ reason }]);
  });

  test.each(["nobody", "constructor", "__proto__", "toString", "Stripe", "", "stripe/x"])(
    "provider_unknown: an unknown provider (%j) → 404, counted under one name",
    async (slug) => {
      const { send, store } = receiver({});
      expect((await send(slug, signed(EVENT))).status).toBe(404);
      expect(store.deliveries).toEqual([]);
      expect([...store.overflow]).toEqual([["unknown provider_unknown", 1]]);
    },
  );

  test.each<[string, string[]]>([
    ["none", []],
    ["an empty one", [""]],
    ["one of white space", [" \n"]],
    ["one with white space inside", ["whsec_a b"]],
  ])(
    "secret_not_configured: no usable secret (%s): signed → 503, so that the sender tries again; unsigned → still 400",
    async (_, secrets) => {
      const { send } = receiver({ stripe: enabled(...secrets) });
      const forged = await send("stripe", { body: EVENT, headers: stripeHeaders(EVENT, secrets[0] ?? "", NOW) });
      expect([forged.status, forged.headers.get("retry-after")]).toEqual([503, "60"]);
      expect(await forged.json()).toMatchObject({ reason: "secret_not_configured" });
      expect((await send("stripe", { body: EVENT, headers: json })).status).toBe(400);
    },
  );

  test("secret_unreadable: only secrets that the store cannot decrypt: signed → 503, so that the sender retries, and logged as such", async () => {
    const { send, store } = receiver({ stripe: { ...enabled(), unreadableSecrets: 1 } });
    const answer = await send("stripe", signed(EVENT));
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "60"]);
    expect(await answer.json()).toMatchObject({ reason: "secret_unreadable" });
    expect(store.deliveries).toMatchObject([{ reason: "secret_unreadable", outcome: "rejected" }]);
  });

  test("a readable secret still verifies beside an unreadable one", async () => {
    const { send } = receiver({ stripe: { ...enabled(STRIPE_SECRET), unreadableSecrets: 1 } });
    expect((await send("stripe", signed(EVENT))).status).toBe(200);
  });

  test("a provider that was never configured: unsigned → 400, signed → 503", async () => {
    const { send } = receiver({});
    expect((await send("clerk", { body: EVENT, headers: json })).status).toBe(400);
    const { headers } = signedBy("clerk", { body: EVENT, secret: STANDARD_SECRET, timestamp: NOW });
    expect((await send("clerk", { body: EVENT, headers })).status).toBe(503);
  });

  test("an incomplete body → 400, logged with the part that arrived", async () => {
    const { send, store } = receiver({ stripe: enabled(STRIPE_SECRET) });
    let pulls = 0;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) =>
        pulls++ === 0 ? controller.enqueue(new TextEncoder().encode("half")) : controller.error(new Error("reset")),
    });
    expect((await send("stripe", { ...signed(EVENT), body })).status).toBe(400);
    expect(store.deliveries).toMatchObject([{ reason: "unparsable", bodyBytes: null, body: Buffer.from("half") }]);
  });
});

describe("each event counts once", () => {
  test("a retry of an event gets 200 and is marked as a duplicate", async () => {
    const { send, store } = receiver({ stripe: enabled(STRIPE_SECRET) });
    expect(await (await send("stripe", signed(EVENT))).json()).toEqual({ received: true });
    const again = await send("stripe", signed(EVENT, NOW + 20));
    expect([again.status, await again.json()]).toEqual([200, { received: true, duplicate: true }]);
    expect(store.deliveries.map(({ outcome, reason, eventId }) => [outcome, reason, eventId])).toEqual([
      ["accepted", "accepted", "evt_1"],
      ["duplicate", "duplicate", "evt_1"],
    ]);
  });

  test("a forgery does not use up the event's key", async () => {
    const { send } = receiver({ stripe: enabled(STRIPE_SECRET) });
    await send("stripe", { body: EVENT, headers: stripeHeaders(EVENT, "whsec_other", NOW) });
    expect(await (await send("stripe", signed(EVENT))).json()).toEqual({ received: true });
  });

  test("Standard Webhooks events are identified by webhook-id, not by body", async () => {
    const { send, store } = receiver({ polar: enabled(STANDARD_SECRET), svix: enabled(STANDARD_SECRET) });
    const deliver = (provider: string, id: string) =>
      send(provider, {
        body: EVENT,
        headers: signedBy("standard-webhooks", { body: EVENT, secret: STANDARD_SECRET, id, timestamp: NOW }).headers,
      }).then((r) => r.json());
    expect(await deliver("polar", "msg_1")).toEqual({ received: true });
    expect(await deliver("polar", "msg_2")).toEqual({ received: true });
    expect(await deliver("polar", "msg_1")).toEqual({ received: true, duplicate: true });
    expect(await deliver("svix", "msg_1")).toEqual({ received: true });
    expect(store.deliveries.at(0)).toMatchObject({ eventId: "msg_1", eventType: "invoice.paid" });
  });

  // Every one of these is JSON, and an easy 500.
  test.each([
    "null",
    "0",
    '"text"',
    "[]",
    "true",
    "{}",
    '{"id":5,"type":{}}',
    '{"id":"a\\u0000b","type":"\\ud800"}',
    '{"__proto__":1}',
  ])("interop-24 signed JSON %s is an event without a type, identified by its bytes", async (body) => {
    const { send, store } = receiver({ stripe: enabled(STRIPE_SECRET), svix: enabled(STANDARD_SECRET) });
    expect(await (await send("stripe", signed(body))).json()).toEqual({ received: true });
    expect(await (await send("stripe", signed(body, NOW + 1))).json()).toEqual({ received: true, duplicate: true });
    const { headers } = signedBy("svix", { body, secret: STANDARD_SECRET, timestamp: NOW });
    expect((await send("svix", { body, headers })).status).toBe(200);
    expect(store.deliveries.map(({ eventType, eventId }) => [eventType, eventId])).toEqual([
      [null, null],
      [null, null],
      [null, "msg_1"],
    ]);
  });
});

describe("a delivery that was not stored is not acknowledged", () => {
  const broken = () => Promise.reject(new Error("disk full"));

  test.each(["findEndpoint", "acceptDelivery"] as const)(
    "store_unavailable: %s fails → 503 with Retry-After; only the operator sees the error",
    async (method) => {
      const { send, store, reported } = receiver({ stripe: enabled(STRIPE_SECRET) });
      Object.assign(store, { [method]: broken });
      const response = await send("stripe", signed(EVENT));
      expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
      expect(await response.text()).not.toContain("disk");
      expect(reported).toEqual([new Error("disk full")]);
    },
  );

  test("a rejection stands even if it cannot be logged", async () => {
    const { send, store, reported } = receiver({ stripe: enabled(STRIPE_SECRET) });
    Object.assign(store, { recordRejection: broken, countOverflow: broken });
    expect((await send("stripe", { body: EVENT, headers: json })).status).toBe(400);
    expect((await send("nobody", {})).status).toBe(404);
    expect(reported).toHaveLength(2);
  });
});

describe("the delivery log stores", () => {
  test("accepted bodies byte for byte, and 4 KiB of rejected ones with their size", async () => {
    const { send, store } = receiver({ stripe: enabled(STRIPE_SECRET) });
    const body = JSON.stringify({ id: "evt_big", type: "big", data: "ü".repeat(10_000) });
    await send("stripe", signed(body));
    await send("stripe", { body, headers: json });
    const [accepted, rejected] = store.deliveries;
    expect(Buffer.from(accepted?.body ?? []).toString()).toBe(body);
    expect(rejected?.body).toHaveLength(4096);
    expect(rejected).toMatchObject({
      bodyBytes: Buffer.byteLength(body),
      eventType: "big",
      eventId: "evt_big",
      secretId: null,
    });
  });

  test("which secret matched, and the clock skew", async () => {
    const { send, store } = receiver({ stripe: enabled("whsec_old", `${STRIPE_SECRET}\n`) });
    await send("stripe", signed(EVENT, NOW - 7));
    expect(store.deliveries).toMatchObject([{ secretId: "s1", skewSeconds: -7, address: "192.0.2.7", method: "POST" }]);
  });

  test("signature headers, but no credentials", async () => {
    const { send, store } = receiver({ stripe: enabled(STRIPE_SECRET) });
    const secrets = [
      "authorization",
      "cookie",
      "proxy-authorization",
      "x-vercel-protection-bypass",
      "x-djstripe-webhook-secret",
      "x-api-key",
      "x-auth-token",
    ];
    await send("stripe", withHeaders(signed(EVENT), Object.fromEntries(secrets.map((name) => [name, "hunter2"]))));
    const headers = store.deliveries[0]?.headers ?? {};
    expect(JSON.stringify(headers)).not.toContain("hunter2");
    expect(Object.keys(headers)).toEqual(["content-type", "stripe-signature"]);
  });

  test("rows_capped: at most 60 rejected rows a minute per network and reason; accepted ones are never capped", async () => {
    const { send, store } = receiver({ stripe: enabled(STRIPE_SECRET) });
    for (let i = 0; i < 70; i++)
      expect((await send("stripe", { body: EVENT, headers: json }, `192.0.2.${i}`)).status).toBe(400);
    expect(store.deliveries).toHaveLength(60);
    expect([...store.overflow]).toEqual([["stripe signature_missing", 10]]);
    await send("stripe", { body: EVENT, headers: json }, "198.51.100.1");
    await send("stripe", signed(EVENT));
    expect(store.deliveries).toHaveLength(62);
  });
});
