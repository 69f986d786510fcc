import { beforeAll, describe, expect, test, vi } from "vitest";
import { crc32 } from "../crc32.ts";
import { SENDER } from "../testing/outbound.ts";
import { createPayPalSender, PAYPAL_CERTIFICATE_URL } from "../testing/paypal-sender.ts";
import { enabled, NOW, receiver } from "../testing/scene.ts";
import { paypal } from "./paypal.ts";

const WEBHOOK_ID = "1JE4291016473214C";
const BODY = '{"id":"WH-1","event_type":"PAYMENT.CAPTURE.COMPLETED","resource":{"id":"3C679366HH908993F"}}';

let sender: Awaited<ReturnType<typeof createPayPalSender>>;
beforeAll(async () => {
  sender = await createPayPalSender();
});

function signed(change: { timestamp?: number; secret?: string } = {}): Record<string, string> {
  const message = { body: Buffer.from(BODY), type: null, id: "69cd13f0-d67a-11e5", url: "", settings: {} };
  const result = sender.sign({ secret: WEBHOOK_ID, timestamp: NOW, ...message, ...change });
  if ("problem" in result) throw new Error(result.problem);
  return result.headers;
}

/** Delivers with these headers changed, and returns what was decided and which URLs were asked. */
async function deliver(change: Record<string, string> = {}, fetchCertificate = sender.outbound.fetchCertificate) {
  const asked: string[] = [];
  const fetchAndNote = (url: string) => {
    asked.push(url);
    return fetchCertificate(url);
  };
  const outbound = { ...sender.outbound, fetchCertificate: fetchAndNote };
  const { send, store, reported } = receiver({ paypal: enabled(WEBHOOK_ID) }, { outbound });
  const { status } = await send("paypal", { body: BODY, headers: { ...signed(), ...change } });
  return { status, row: store.deliveries[0], asked, reported };
}

describe("PayPal", () => {
  test("CRC-32 is that of zip, unsigned", () => {
    expect(crc32(Buffer.from("123456789"))).toBe(3421780262);
    expect(crc32(Buffer.from('{"id":"WH-1","event_type":"PAYMENT.CAPTURE.COMPLETED"}'))).toBe(2325436976);
    expect(crc32(new Uint8Array())).toBe(0);
  });

  test("the signed text is id, time, webhook id and CRC-32, joined by bars", async () => {
    const headers = new Headers({
      ...signed(),
      "paypal-transmission-id": "69cd13f0-d67a-11e5-baa3-778b53f4ae55",
      "paypal-transmission-time": "2016-02-18T20:01:35Z",
    });
    const { endpoints } = receiver({ paypal: enabled(WEBHOOK_ID) }).store;
    const endpoint = endpoints.get("paypal");
    if (!endpoint) throw new Error("the endpoint is missing");
    const body = Buffer.from('{"id":"WH-1","event_type":"PAYMENT.CAPTURE.COMPLETED"}');
    const incoming = { method: "POST", headers, body, url: "", endpoint, parsed: () => undefined };
    const claim = paypal.readClaim(incoming);
    if (claim.kind !== "signed") throw new Error(claim.kind);
    const [key] =
      (await paypal.fetchKeys?.(claim, incoming, WEBHOOK_ID, { ...sender.outbound, sender: SENDER, now: () => NOW })) ??
      [];
    expect(key?.signed?.join("")).toBe(
      "69cd13f0-d67a-11e5-baa3-778b53f4ae55|2016-02-18T20:01:35Z|1JE4291016473214C|2325436976",
    );
  });

  test("a genuine delivery is accepted, and its certificate comes from the URL that PayPal names", async () => {
    const { status, row, asked } = await deliver();
    expect([status, row?.reason, row?.eventId, row?.eventType]).toEqual([
      200,
      "accepted",
      "WH-1",
      "PAYMENT.CAPTURE.COMPLETED",
    ]);
    expect(asked).toEqual([PAYPAL_CERTIFICATE_URL]);
  });

  test.each([
    "http://api.paypal.com/v1/notifications/certs/CERT-1",
    "https://api.paypal.com.evil.example/cert",
    "https://evil.example/api.paypal.com/cert",
    "https://evilpaypal.com/cert",
    "https://api.paypal.com@evil.example/cert",
    "https://user:pw@api.paypal.com/cert",
    "https://api.paypal.com:8443/cert",
    "https://127.0.0.1/cert",
    "https://api.paypal.com./cert",
    "file:///etc/passwd",
    "api.paypal.com/cert",
    `https://api.paypal.com/${"x".repeat(500)}`,
    "",
  ])("a certificate at %s is never fetched", async (url) => {
    const { status, row, asked } = await deliver({ "paypal-cert-url": url });
    expect([status, row?.reason, asked]).toEqual([400, "signature_malformed", []]);
  });

  test.each<[string, Record<string, string>, string]>([
    ["SHA1withRSA", { "paypal-auth-algo": "SHA1withRSA" }, "signature_scheme_unknown"],
    ["no algorithm", { "paypal-auth-algo": "" }, "signature_scheme_unknown"],
    ["no signature", { "paypal-transmission-sig": "" }, "signature_missing"],
    ["a bar in the id", { "paypal-transmission-id": "a|b" }, "signature_malformed"],
    ["no id", { "paypal-transmission-id": "" }, "signature_malformed"],
    ["a local time", { "paypal-transmission-time": "2023-11-14T22:13:20" }, "signature_malformed"],
    ["an impossible time", { "paypal-transmission-time": "2023-13-41T22:13:20Z" }, "signature_malformed"],
    ["another id", { "paypal-transmission-id": "69cd13f0-d67a-11e6" }, "signature_mismatch"],
    ["another time", { "paypal-transmission-time": "2023-11-14T22:13:21Z" }, "signature_mismatch"],
  ])("%s → %s", async (_, change, reason) => {
    expect((await deliver(change)).row?.reason).toBe(reason);
  });

  test("a certificate that is not PayPal's does not verify", async () => {
    const self = await createPayPalSender();
    const { row } = await deliver({}, self.outbound.fetchCertificate);
    expect(row?.reason).toBe("signature_mismatch");
  });

  test("a certificate that cannot be downloaded → 503, so that PayPal sends it again", async () => {
    const { status, row, reported } = await deliver({}, () => Promise.reject(new Error("timed out")));
    expect([status, row?.reason, reported.length]).toEqual([503, "provider_unreachable", 1]);
  });

  test("without a webhook id nothing is fetched", async () => {
    const fetchCertificate = vi.fn(sender.outbound.fetchCertificate);
    const { send } = receiver({ paypal: enabled() }, { outbound: { ...sender.outbound, fetchCertificate } });
    expect((await send("paypal", { body: BODY, headers: signed() })).status).toBe(503);
    expect(fetchCertificate).not.toHaveBeenCalled();
  });
});
