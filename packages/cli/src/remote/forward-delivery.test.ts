import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { messageIdOf } from "@gatehouse/webhooks";
import { Webhook } from "standardwebhooks";
import Stripe from "stripe";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { StreamedDelivery } from "./delivery-stream.ts";
import { forwardAsProvider, forwardToProduct } from "./forward-delivery.ts";

const BODY = '{ "id": "evt_1", "object": "event", "type": "invoice.paid" }';
const delivery: StreamedDelivery = {
  id: "0199-1",
  endpoint: "stripe-dev",
  provider: "stripe",
  environment: "development",
  outcome: "accepted",
  reason: "accepted",
  receivedAt: 1,
  eventType: "invoice.paid",
  eventId: "evt_1",
  messageId: messageIdOf("stripe-dev", Buffer.from("key")),
  contentType: "application/json; charset=utf-8",
  body: Buffer.from(BODY).toString("base64"),
};

describe("forwarding to this machine", () => {
  const got: { headers: IncomingHttpHeaders; body: string }[] = [];
  const server = createServer(async (request, response) => {
    got.push({ headers: request.headers, body: (await buffer(request)).toString() });
    response.end();
  });
  let url: string;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  });
  afterAll(() => void server.close());

  /** What a delivery causes: the words about it, the request, and the secret that was told. */
  async function send(forward: typeof forwardToProduct, change: Partial<StreamedDelivery> = {}) {
    const told: string[] = [];
    got.length = 0;
    const words = await forward({ url, tell: (line) => void told.push(line) })({ ...delivery, ...change });
    return { words, request: got[0], secret: /whsec_\S+/.exec(told.join())?.[0] ?? "" };
  }

  test("PK-56 sends what the server sends: bytes, headers, the event's id and a signature with the secret that it prints", async () => {
    const { words, request, secret } = await send(forwardToProduct);
    expect(words).toMatch(/^200 in \d+ ms$/);
    expect(request).toMatchObject({
      body: BODY,
      headers: {
        "content-type": "application/json; charset=utf-8",
        "gatehouse-provider": "stripe",
        "gatehouse-event-type": "invoice.paid",
        "gatehouse-endpoint": "stripe-dev",
        "gatehouse-environment": "development",
        "webhook-id": messageIdOf("stripe-dev", Buffer.from("key")),
      },
    });
    expect(() => new Webhook(secret).verify(BODY, request?.headers as Record<string, string>)).not.toThrow();
  });

  test("as the provider, it signs in the provider's way", async () => {
    const { request, secret } = await send(forwardAsProvider);
    const signature = String(request?.headers["stripe-signature"]);
    expect(new Stripe("sk_test_never_used").webhooks.constructEvent(BODY, signature, secret).id).toBe("evt_1");
  });

  test.each([
    ["a rejected delivery", { outcome: "rejected" }, undefined],
    ["a duplicate", { outcome: "duplicate" }, "not forwarded: the event was forwarded before"],
    ["a body that this user may not see", { body: null }, "not forwarded: its body is hidden from you"],
  ] as const)("%s is not forwarded", async (_, change, words) => {
    expect(await send(forwardToProduct, change)).toMatchObject({ words, request: undefined });
  });
});
