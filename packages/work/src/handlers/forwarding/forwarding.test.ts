import { createOutbound, OutboundError } from "@gatehouse/auth";
import { engines, type TestEngine } from "@gatehouse/db/testing/engines";
import { forwardedHeaders } from "@gatehouse/webhooks";
import { Webhook } from "standardwebhooks";
import { afterEach, describe, expect, test } from "vitest";
import { defineHandlers, type HandlerMap } from "../define.ts";
import { FORWARDING_SECRET, type Inbox, type InboxOptions, openInbox } from "../testing/inbox.ts";
import { type Product, startProduct } from "../testing/product.ts";

const event = (id: string, type = "invoice.paid") => ({ id, type, data: { object: { id: "in_1" } } });
const SPACED = '{ "id":"evt_1",\n "type": "invoice.paid", "é": 1.0 }';

let inbox: Inbox;
const products: Product[] = [];
afterEach(async () => {
  for (const product of products.splice(0)) product.close();
  await inbox?.close();
});

async function startOne(answer: Parameters<typeof startProduct>[0]): Promise<Product> {
  const product = await startProduct(answer);
  products.push(product);
  return product;
}

/** A product that answers with these statuses, then with 200. */
const statuses = (...codes: number[]) =>
  startOne((response, count) => response.writeHead(codes[count - 1] ?? 200).end());

async function open(
  engine: TestEngine,
  url: string,
  options: Partial<InboxOptions> = {},
  stripe: HandlerMap["stripe"] = {},
) {
  const handlers = defineHandlers({ stripe });
  const forward = { url, events: null };
  inbox = await openInbox(engine, { handlers, environment: "development", forward, ...options });
}

describe.each(engines)("forwarding on $name, PK-56", (engine) => {
  test("an event reaches the product once: the same bytes, what it is, and a signature that its library accepts", async () => {
    const product = await statuses(204);
    await open(engine, `${product.url}/hooks?a=1`);
    await inbox.deliverText(SPACED);
    await inbox.deliverText(SPACED);
    await inbox.settle();
    expect(product.received).toHaveLength(1);
    const [got] = product.received;
    expect(got).toMatchObject({
      method: "POST",
      path: "/hooks?a=1",
      headers: {
        "content-type": "application/json",
        "gatehouse-provider": "stripe",
        "gatehouse-event-type": "invoice.paid",
        "gatehouse-endpoint": "stripe-development",
        "gatehouse-environment": "development",
      },
    });
    expect(got?.body.toString()).toBe(SPACED);
    expect(() => new Webhook(FORWARDING_SECRET).verify(got?.body.toString() ?? "", got?.headers ?? {})).not.toThrow();
    expect(await inbox.events()).toMatchObject([{ state: "handled" }]);
    expect(await inbox.attempts()).toMatchObject([{ handler: "@forward", outcome: "ok", status: 204, error: null }]);
    expect(inbox.counted).toEqual(["stripe-development/ok"]);
  });

  test("a failed attempt is repeated with the same id and a new signature until it is acknowledged, and never after", async () => {
    const product = await statuses(500, 302, 200);
    await open(engine, product.url);
    await inbox.deliver(event("evt_1"));
    await inbox.settle();
    await inbox.deliver(event("evt_1"));
    await inbox.settle();
    expect(new Set(product.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(await inbox.attempts()).toMatchObject([
      { outcome: "error", status: 500, error: "The product answered 500." },
      { outcome: "error", status: 302, error: expect.stringMatching(/a redirect.*not followed/) },
      { outcome: "ok", status: 200 },
    ]);
    expect(inbox.counted).toEqual(["stripe-development/failed", "stripe-development/failed", "stripe-development/ok"]);
  });

  test("after eight attempts the event is given up", async () => {
    const product = await statuses(...Array.from({ length: 8 }, () => 503));
    await open(engine, product.url);
    await inbox.deliver(event("evt_1"));
    await inbox.settle();
    expect(product.received).toHaveLength(8);
    expect(await inbox.events()).toMatchObject([{ state: "dead" }]);
    expect(inbox.counted.at(-1)).toBe("stripe-development/dead");
  });

  test("a handler of the same event runs once, whatever becomes of the forwarding, and the event waits for both", async () => {
    const runs: string[] = [];
    const product = await statuses(500, 200);
    await open(engine, product.url, {}, { "invoice.paid": async (_, { event: { id } }) => void runs.push(String(id)) });
    await inbox.deliver(event("evt_1"));
    await inbox.settle();
    expect(runs).toEqual(["evt_1"]);
    expect(product.received).toHaveLength(2);
    expect(await inbox.events()).toMatchObject([{ state: "handled" }]);
  });

  test("an event that arrived before its endpoint moved is not sent to where the endpoint forwards since", async () => {
    const product = await statuses();
    await open(engine, product.url);
    await inbox.deliver(event("evt_1"));
    await inbox.db.update(inbox.db.tables.webhookEndpoints).set({ environment: "staging" });
    await inbox.settle();
    expect(product.received).toEqual([]);
    expect(await inbox.events()).toMatchObject([{ state: "stored" }]);
  });

  test("an event that was acknowledged just before the process died is not sent again", async () => {
    const product = await statuses();
    await open(engine, product.url);
    await inbox.deliver(event("evt_1"));
    await inbox.settleAfterCrash();
    expect(product.received).toEqual([]);
    expect(await inbox.events()).toMatchObject([{ state: "handled" }]);
  });
});

const sqlite = engines.filter(({ name }) => name === "sqlite");

describe.each(sqlite)("forwarding to a product that misbehaves, or must not be reached, PK-56", (engine) => {
  test("a redirect is not followed", async () => {
    const elsewhere = await statuses();
    const product = await startOne((response) => response.writeHead(307, { location: elsewhere.url }).end());
    await open(engine, product.url);
    await inbox.deliver(event("evt_1"));
    await inbox.settle();
    expect(elsewhere.received).toEqual([]);
    expect(await inbox.events()).toMatchObject([{ state: "dead" }]);
  });

  test("an answer without an end counts by its status: it is neither read nor waited for", async () => {
    const product = await startOne((response) => {
      response.writeHead(200);
      const chunk = Buffer.alloc(64 * 1024);
      const flood = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on("drain", flood);
      flood();
    });
    await open(engine, product.url);
    await inbox.deliver(event("evt_1"));
    await inbox.settle();
    expect(await inbox.attempts()).toMatchObject([{ outcome: "ok", status: 200 }]);
  });

  test("a product that stays silent is a timeout", async () => {
    const silent = async () => Promise.reject(new OutboundError("timed_out", "no complete response"));
    await open(engine, "http://127.0.0.1:9", { postBytes: silent });
    await inbox.deliver(event("evt_1"));
    await inbox.settle();
    expect((await inbox.attempts())[0]).toMatchObject({ outcome: "timeout", status: null });
  });

  test.each([
    ["a private address", "https://product.internal/hooks", "10.0.0.7"],
    ["the metadata service of a cloud", "https://metadata.example/hooks", "169.254.169.254"],
    ["this machine, under another name", "https://rebinding.example/hooks", "127.0.0.1"],
  ])("nothing is sent to %s", async (_, url, address) => {
    const lookup = async () => [{ address, family: 4 }];
    await open(engine, url, { postBytes: createOutbound({ lookup, allowLoopback: true }).postBytes });
    await inbox.deliver(event("evt_1"));
    await inbox.settle();
    expect((await inbox.attempts())[0]).toMatchObject({ outcome: "error", error: expect.stringMatching(/not public/) });
  });

  test("nothing is sent to this machine for an event that is not of development", async () => {
    const product = await statuses();
    await open(engine, product.url, { environment: "staging" });
    await inbox.deliver(event("evt_1"));
    await inbox.settle();
    expect(product.received).toEqual([]);
    expect((await inbox.attempts())[0]).toMatchObject({
      error: expect.stringMatching(/Only endpoints of development/),
    });
  });

  test("both secrets sign while one replaces the other", async () => {
    const product = await statuses();
    await open(engine, product.url);
    const newer = `whsec_${Buffer.alloc(32, 9).toString("base64")}`;
    await inbox.addForwardingSecret(newer);
    await inbox.deliver(event("evt_1"));
    await inbox.settle();
    const [got] = product.received;
    for (const secret of [FORWARDING_SECRET, newer])
      expect(() => new Webhook(secret).verify(got?.body.toString() ?? "", got?.headers ?? {})).not.toThrow();
  });

  test("an event whose type is not in the list is stored, and not sent", async () => {
    const product = await statuses();
    await open(engine, product.url, { forward: { url: product.url, events: ["customer.*"] } });
    await inbox.deliver(event("evt_1"));
    await inbox.deliver(event("evt_2", "customer.created"));
    await inbox.settle();
    expect(product.received.map(({ headers }) => headers["gatehouse-event-type"])).toEqual(["customer.created"]);
  });

  test("no secret and no payload is in the log, in an attempt or in a job", async () => {
    const product = await statuses(500, 200);
    await open(engine, product.url);
    await inbox.deliver(event("evt_1", "invoice.paid"));
    await inbox.settle();
    const stored = JSON.stringify([inbox.logged, await inbox.attempts(), await inbox.jobs()]);
    expect(stored).not.toContain(FORWARDING_SECRET.slice(6));
    expect(stored).not.toContain("in_1");
    expect(stored).not.toContain("v1,");
  });

  test("a forwarding secret verifies no delivery", async () => {
    const product = await statuses();
    await open(engine, product.url);
    await expect(inbox.deliver(event("evt_1"), FORWARDING_SECRET)).rejects.toThrow(/signature_mismatch/);
  });
});

test("an event type is one header value, whatever the provider calls its events", () => {
  const about = { id: "evt_1", provider: "custom", endpoint: "custom", environment: "staging" as const };
  const message = { ...about, body: Buffer.from("{}"), contentType: "application/json" };
  const typeIn = (type: string | null) =>
    forwardedHeaders({ ...message, type }, [FORWARDING_SECRET], 1)["gatehouse-event-type"];
  expect([typeIn("a.b"), typeIn(null)]).toEqual(["a.b", undefined]);
  const odd = "zahlung erhalten: 100 % é 🎉";
  expect(new Headers({ type: typeIn(odd) ?? "" }).get("type")).toMatch(/^[\x21-\x7E]+$/);
  expect(decodeURIComponent(typeIn(odd) ?? "")).toBe(odd);
});
