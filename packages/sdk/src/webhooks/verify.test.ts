import { forwardedHeaders } from "@gatehouse/webhooks";
import { Webhook } from "standardwebhooks";
import { describe, expect, expectTypeOf, test } from "vitest";
import { GatehouseError } from "../error.ts";
import { verifyWebhook } from "./index.ts";

declare module "./verify.ts" {
  interface WebhookPayloads {
    stripe: { id: string; type: "invoice.paid" };
  }
}

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const OTHER = `whsec_${Buffer.alloc(32, 8).toString("base64")}`;
const NOW = 1_800_000_000;
const BODY = '{ "id": "evt_1", "type": "invoice.paid", "é": 1.0 }';
const now = () => NOW * 1000;

/** An event as the server forwards it. */
function forwarded({
  body = BODY,
  secrets = [SECRET],
  at = NOW,
  type = "invoice.paid" as string | null,
  provider = "stripe",
  contentType = "application/json",
} = {}) {
  const message = { id: "evt_a", provider, endpoint: "stripe-dev", environment: "development" as const, type };
  const headers = forwardedHeaders({ ...message, body: Buffer.from(body), contentType }, secrets, at);
  return { headers, body };
}
const requestOf = ({ headers, body }: ReturnType<typeof forwarded>, change: Record<string, string> = {}) =>
  new Request("https://app.example/hooks", { method: "POST", headers: { ...headers, ...change }, body });

const problemOf = async (request: Parameters<typeof verifyWebhook>[0], options: object = {}) => {
  const error: unknown = await verifyWebhook(request, { secret: SECRET, now, ...options }).catch((thrown) => thrown);
  if (!(error instanceof GatehouseError)) throw new Error("it was accepted");
  return [error.code, error.status, error.message];
};

describe("PK-57 verifyWebhook", () => {
  test("accepts what the server forwards, and says what it is", async () => {
    expect(await verifyWebhook(requestOf(forwarded()), { secret: SECRET, now })).toEqual({
      id: "evt_a",
      provider: "stripe",
      endpoint: "stripe-dev",
      type: "invoice.paid",
      environment: "development",
      payload: JSON.parse(BODY),
    });
  });

  test("accepts the signatures of the reference library", async () => {
    const at = new Date(NOW * 1000);
    const headers = { ...forwarded().headers, "webhook-signature": new Webhook(SECRET).sign("evt_a", at, BODY) };
    expect(await verifyWebhook(requestOf({ headers, body: BODY }), { secret: SECRET, now })).toMatchObject({
      id: "evt_a",
    });
  });

  test("accepts any of several secrets, on both sides of a rotation", async () => {
    for (const secrets of [[SECRET], [OTHER], [OTHER, SECRET]])
      expect(await verifyWebhook(requestOf(forwarded({ secrets })), { secret: [SECRET, OTHER], now })).toBeTruthy();
    expect(
      await verifyWebhook(requestOf(forwarded({ secrets: [OTHER, SECRET] })), { secret: SECRET, now }),
    ).toBeTruthy();
  });

  test("accepts raw bytes and Node's headers, as Express has them", async () => {
    const { headers, body } = forwarded();
    const raw = { headers: { ...headers, cookie: undefined, via: ["a", "b"] }, body: Buffer.from(body) };
    expect(await verifyWebhook(raw, { secret: SECRET, now })).toMatchObject({ id: "evt_a" });
    expect(await verifyWebhook({ headers: new Headers(headers), body }, { secret: SECRET, now })).toBeTruthy();
  });

  test("has the payload's type for a provider that it is limited to, and unknown otherwise", async () => {
    const typed = await verifyWebhook(requestOf(forwarded()), { secret: SECRET, provider: "stripe", now });
    expectTypeOf(typed.payload).toEqualTypeOf<{ id: string; type: "invoice.paid" }>();
    const any = await verifyWebhook(requestOf(forwarded()), { secret: SECRET, now });
    expectTypeOf(any.payload).toEqualTypeOf<unknown>();
    expect(await problemOf(requestOf(forwarded({ provider: "paddle" })), { provider: "stripe" })).toMatchObject([
      "invalid_request",
      400,
      expect.stringMatching(/another provider than stripe/),
    ]);
  });

  test.each([
    ["of an event without one", null],
    ["in any writing", "zahlung erhalten: 100 % é 🎉"],
  ])("reads the type %s", async (_, type) => {
    expect(await verifyWebhook(requestOf(forwarded({ type })), { secret: SECRET, now })).toMatchObject({ type });
  });

  test("parses forms, and the JSON in GitHub's", async () => {
    const contentType = "application/x-www-form-urlencoded";
    const form = forwarded({ provider: "github", contentType, body: "payload=%7B%22action%22%3A%22opened%22%7D" });
    expect(await verifyWebhook(requestOf(form), { secret: SECRET, now })).toMatchObject({
      payload: { action: "opened" },
    });
    const other = forwarded({ provider: "braintree", contentType, body: "bt_payload=a&bt_signature=b" });
    expect(await verifyWebhook(requestOf(other), { secret: SECRET, now })).toMatchObject({
      payload: { bt_payload: "a" },
    });
  });

  const tampered = forwarded();
  test.each<[string, Parameters<typeof verifyWebhook>[0], RegExp]>([
    ["another secret", requestOf(forwarded({ secrets: [OTHER] })), /does not match/],
    ["a changed body", requestOf({ ...tampered, body: BODY.replace("evt_1", "evt_2") }), /does not match/],
    ["the body written again", requestOf({ ...tampered, body: JSON.stringify(JSON.parse(BODY)) }), /does not match/],
    ["another id", requestOf(tampered, { "webhook-id": "evt_b" }), /does not match/],
    ["another time", requestOf(tampered, { "webhook-timestamp": String(NOW + 1) }), /does not match/],
    ["the id and the time split elsewhere", requestOf(tampered, { "webhook-id": `evt_a.${NOW}` }), /webhook-id/],
    ["no signature", requestOf(tampered, { "webhook-signature": "" }), /webhook-signature is missing/],
    ["another scheme", requestOf(tampered, { "webhook-signature": "v1a,AAAA" }), /no signature of the scheme v1/],
    ["no base64", requestOf(tampered, { "webhook-signature": "v1,?" }), /no signature of the scheme v1/],
    ["a signature of 10 KB", requestOf(tampered, { "webhook-signature": "v1,AAAA ".repeat(1300) }), /too long/],
    ["a time that is none", requestOf(tampered, { "webhook-timestamp": "yesterday" }), /not a Unix time/],
    ["an old signature", requestOf(forwarded({ at: NOW - 301 })), /301 s ago/],
    ["one of the future", requestOf(forwarded({ at: NOW + 301 })), /301 s ahead/],
    ["an unknown environment", requestOf(tampered, { "gatehouse-environment": "prod" }), /missing or unknown/],
    ["no JSON", requestOf(forwarded({ body: "<xml/>" })), /neither JSON/],
    ["a body of more than 1 MiB", requestOf(forwarded({ body: `"${"a".repeat(1024 * 1024)}"` })), /larger than 1 MiB/],
  ])("N98 %s is refused with 400, without a word about the secret", async (_, request, message) => {
    const [code, status, text] = await problemOf(request);
    expect([code, status]).toEqual(["invalid_request", 400]);
    expect(text).toMatch(message);
    expect(text).not.toContain(SECRET.slice(6));
  });

  test("a body without an end is read up to 1 MiB", async () => {
    let sent = 0;
    const body = new ReadableStream({
      pull: (controller) => {
        sent += 65_536;
        controller.enqueue(new Uint8Array(65_536));
      },
    });
    const request = new Request("https://app.example/", {
      method: "POST",
      body,
      duplex: "half",
      ...{ headers: tampered.headers },
    } as RequestInit);
    expect(await problemOf(request)).toMatchObject(["invalid_request", 400, expect.stringMatching(/1 MiB/)]);
    expect(sent).toBeLessThan(2 * 1024 * 1024);
  });

  test.each([
    ["no secret", { secret: "" }],
    ["a variable that is not set", { secret: undefined }],
    ["an empty list", { secret: [] }],
    ["the provider's secret", { secret: "whsec_short" }],
    ["text", { secret: "correct horse battery staple" }],
  ])("%s is a mistake of the product, and nothing is accepted", async (_, options) => {
    expect(await problemOf(requestOf(forwarded()), options)).toMatchObject([
      "configuration",
      500,
      expect.stringMatching(/whsec_/),
    ]);
  });

  test("a body that was read before is a mistake of the product", async () => {
    const request = requestOf(forwarded());
    await request.text();
    expect(await problemOf(request)).toMatchObject(["configuration", 500, expect.stringMatching(/has read or parsed/)]);
    const parsed = { headers: forwarded().headers, body: JSON.parse(BODY) };
    expect(await problemOf(parsed)).toMatchObject(["configuration", 500, expect.stringMatching(/has read or parsed/)]);
  });
});
