import { createHash, createHmac } from "node:crypto";
import { describe, expect, inject, test } from "vitest";
import { WEBHOOK_SECRETS } from "../harness/fixture.ts";
import { json, send } from "../harness/http.ts";

const issuer = inject("issuer");
const form = { "content-type": "application/x-www-form-urlencoded" };
const freshId = (prefix: string) => `${prefix}_${process.pid}_${Date.now()}`;

const deliver = (provider: string, body: string, headers: Record<string, string>) =>
  send(issuer, `/api/webhooks/${provider}`, { method: "POST", headers, body });

describe("Braintree", () => {
  const [publicKey = "", privateKey = ""] = WEBHOOK_SECRETS.braintree.split(":");
  const macOf = (text: string) =>
    createHmac("sha1", createHash("sha1").update(privateKey).digest()).update(text).digest("hex");

  test("the check of a new URL is answered, and any other GET is not", async () => {
    const challenge = "20f9f8ed05f77439fe955c977e4c8a53";
    const answer = await send(issuer, `/api/webhooks/braintree?bt_challenge=${challenge}`);
    expect([answer.status, answer.text]).toEqual([200, `${publicKey}|${macOf(challenge)}`]);
    expect(answer.headers.get("content-type")).toMatch(/^text\/plain/);
    expect((await send(issuer, "/api/webhooks/braintree?bt_challenge=no")).status).toBe(405);
    expect((await send(issuer, "/api/webhooks/braintree")).status).toBe(405);
  });

  test("SD-04 a signed form is accepted, and an altered one is not", async () => {
    const xml = `<notification><kind>transaction_settled</kind><subject><id>${freshId("txn")}</id></subject></notification>`;
    const bt_payload = `${Buffer.from(xml).toString("base64")}\n`;
    const signed = new URLSearchParams({
      bt_signature: `other|${"0".repeat(40)}&${publicKey}|${macOf(bt_payload)}`,
      bt_payload,
    });
    expect(json(await deliver("braintree", signed.toString(), form))).toEqual({ received: true });
    expect(json(await deliver("braintree", signed.toString(), form))).toEqual({ received: true, duplicate: true });
    signed.set("bt_payload", `A${bt_payload}`);
    const refused = await deliver("braintree", signed.toString(), form);
    expect([refused.status, json(refused)["reason"]]).toEqual([400, "signature_mismatch"]);
  });
});

describe("Square", () => {
  test("SD-04 the public URL of the endpoint is signed, not the one that the request names", async () => {
    const body = JSON.stringify({ event_id: freshId("square"), type: "payment.updated" });
    const signedFor = (url: string) =>
      createHmac("sha256", WEBHOOK_SECRETS.square)
        .update(url + body)
        .digest("base64");
    const headers = (url: string) => ({
      "content-type": "application/json",
      "x-square-hmacsha256-signature": signedFor(url),
    });
    const own = `${issuer}/api/webhooks/square`;
    const forwarded = { ...headers("https://evil.example/api/webhooks/square"), "x-forwarded-host": "evil.example" };
    expect((await deliver("square", body, forwarded)).status).toBe(400);
    expect(json(await deliver("square", body, headers(own)))).toEqual({ received: true });
  });
});

describe("GitHub", () => {
  test("SD-04 JSON and forms are accepted, each signed as it is sent", async () => {
    const payload = JSON.stringify({ action: "opened", issue: { node_id: "I_1" } });
    const headers = (body: string, type: string) => ({
      "content-type": type,
      "x-github-event": "issues",
      "x-github-delivery": freshId(type),
      "x-hub-signature-256": `sha256=${createHmac("sha256", WEBHOOK_SECRETS.github).update(body).digest("hex")}`,
    });
    const encoded = new URLSearchParams({ payload }).toString();
    expect(json(await deliver("github", payload, headers(payload, "application/json")))).toEqual({ received: true });
    expect(json(await deliver("github", encoded, headers(encoded, form["content-type"])))).toEqual({ received: true });
    expect((await deliver("github", encoded, headers(payload, form["content-type"]))).status).toBe(400);
  });
});

describe("providers that Gatehouse has to ask", () => {
  test("a PayPal delivery that names a certificate elsewhere is refused, and nothing is fetched", async () => {
    const headers = {
      "content-type": "application/json",
      "paypal-transmission-id": "69cd13f0-d67a-11e5-baa3-778b53f4ae55",
      "paypal-transmission-time": "2026-01-01T00:00:00Z",
      "paypal-transmission-sig": Buffer.alloc(256).toString("base64"),
      "paypal-auth-algo": "SHA256withRSA",
      "paypal-cert-url": `${issuer}/cert`,
    };
    const answer = await deliver("paypal", "{}", headers);
    expect([answer.status, json(answer)["reason"]]).toEqual([400, "signature_malformed"]);
  });

  test("N40 a classic Mollie webhook is unsigned, so it is refused unless an admin switched it on", async () => {
    const answer = await deliver("mollie", "id=tr_5B8cwPMGnU6qLbRvo7qEZo", form);
    expect([answer.status, json(answer)["reason"]]).toEqual([400, "signature_missing"]);
  });
});

describe("Adyen", () => {
  const item = (pspReference: string) => {
    const signed = [pspReference, "", "ExampleMerchant", "order-1", 1900, "EUR", "AUTHORISATION", "true"].join(":");
    const hmacSignature = createHmac("sha256", Buffer.from(WEBHOOK_SECRETS.adyen, "hex"))
      .update(signed)
      .digest("base64");
    const amount = { value: 1900, currency: "EUR" };
    const fields = { pspReference, merchantAccountCode: "ExampleMerchant", merchantReference: "order-1", amount };
    return {
      NotificationRequestItem: {
        ...fields,
        eventCode: "AUTHORISATION",
        success: "true",
        additionalData: { hmacSignature },
      },
    };
  };
  const json = { "content-type": "application/json" };

  test("SD-04 a batch with its signatures in the body is accepted with [accepted], and one with a forged item is not", async () => {
    const items = [item(freshId("a")), item(freshId("b"))];
    const body = JSON.stringify({ live: "false", notificationItems: items });
    for (const _ of ["new", "repeated"]) {
      const answer = await deliver("adyen", body, json);
      expect([answer.status, answer.text]).toEqual([200, "[accepted]"]);
      expect(answer.headers.get("content-type")).toMatch(/^text\/plain/);
      expect(answer.headers.get("gatehouse-delivery-id")).toMatch(/^[0-9a-f-]{36}$/);
    }
    const forged = await deliver("adyen", body.replace(/"value":1900(?!.*"value")/, '"value":1'), json);
    expect([forged.status, JSON.parse(forged.text).reason]).toEqual([400, "signature_mismatch"]);
  });
});

describe("Shopify", () => {
  test("SD-04 a wrong signature gets 401, which Shopify's app review expects, and no WWW-Authenticate", async () => {
    const body = JSON.stringify({ id: Date.now() });
    const headers = (secret: string) => ({
      "content-type": "application/json",
      "x-shopify-topic": "orders/create",
      "x-shopify-webhook-id": freshId("w"),
      "x-shopify-hmac-sha256": createHmac("sha256", secret).update(body).digest("base64"),
    });
    expect(json(await deliver("shopify", body, headers(WEBHOOK_SECRETS.shopify)))).toEqual({ received: true });
    const refused = await deliver("shopify", body, headers("other"));
    expect([refused.status, json(refused)["reason"], refused.headers.get("www-authenticate")]).toEqual([
      401,
      "signature_mismatch",
      null,
    ]);
    const unsigned = await deliver("shopify", body, { "content-type": "application/json" });
    expect([unsigned.status, json(unsigned)["reason"]]).toEqual([400, "signature_missing"]);
  });
});

describe("a custom sender with an endpoint of its own", () => {
  const url = `${issuer}/api/webhooks/warehouse`;
  const signed = (body: string, at: number, signedUrl = url) => {
    const mac = createHmac("sha256", WEBHOOK_SECRETS.warehouse).update(`${at}.${signedUrl}.${body}`).digest("hex");
    return { "content-type": "application/json", "x-timestamp": String(at), "x-signature": `sha256=${mac}` };
  };
  const now = () => Math.floor(Date.now() / 1000);

  test("SD-04 its scheme comes from its settings", async () => {
    const body = JSON.stringify({ id: freshId("stock"), type: "stock.low" });
    expect(json(await deliver("warehouse", body, signed(body, now())))).toEqual({ received: true });
    expect(json(await deliver("warehouse", body, signed(body, now())))).toEqual({ received: true, duplicate: true });
  });

  test("SD-04 another URL, a late delivery and an unsigned one are rejected", async () => {
    const body = JSON.stringify({ id: freshId("stock"), type: "stock.low" });
    const reasonOf = async (headers: Record<string, string>) =>
      json(await deliver("warehouse", body, headers))["reason"];
    expect(await reasonOf(signed(body, now(), `${issuer}/api/webhooks/custom`))).toBe("signature_mismatch");
    expect(await reasonOf(signed(body, now() - 3600))).toBe("timestamp_too_old");
    expect(await reasonOf({ "content-type": "application/json" })).toBe("signature_missing");
  });
});
