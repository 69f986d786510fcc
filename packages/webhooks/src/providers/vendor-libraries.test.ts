import "@shopify/shopify-api/adapters/web-api";
import { hmacValidator as AdyenValidator } from "@adyen/api-library";
import { verifyWebhook as verifyClerk } from "@clerk/backend/webhooks";
import { Paddle } from "@paddle/paddle-node-sdk";
import { webhooks as polarWebhooks } from "@polar-sh/sdk/2026-04";
import { ApiVersion, LogSeverity, shopifyApi } from "@shopify/shopify-api";
import Razorpay from "razorpay";
import { Webhook as StandardWebhook } from "standardwebhooks";
import Stripe from "stripe";
import { Webhook as SvixWebhook } from "svix";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { sampleBody } from "../samples.ts";
import { FIXTURES } from "../testing/fixtures.ts";
import { enabled, NOW, receiver } from "../testing/scene.ts";
import { signedBy } from "../testing/signers.ts";
import { PROVIDERS, type ProviderSlug } from "./index.ts";

type Sent = { headers: Record<string, string>; body: Uint8Array<ArrayBuffer> };

/** Whether a library of the provider accepts the delivery. Throwing means that it does not. */
type VendorLibrary = {
  title: string;
  provider: ProviderSlug;
  accepts: (sent: Sent, secret: string) => unknown;
  defects?: Record<string, string>;
};

const textOf = ({ body }: Sent) => new TextDecoder().decode(body);
const headerOf = ({ headers }: Sent, name: string) => headers[name] ?? "";

const { webhooks: stripe } = new Stripe("sk_test_unused");
const { webhooks: paddle } = new Paddle("pdl_sdbx_apikey_unused");
const adyen = new AdyenValidator();
const NO_TIME_LIMIT_AHEAD = "the library accepts any time in the future";

function shopify(secret: string) {
  const shared = { apiKey: "unused", scopes: [], hostName: "example.test", isEmbeddedApp: true };
  return shopifyApi({
    ...shared,
    apiSecretKey: secret,
    apiVersion: ApiVersion.October25,
    logger: { level: LogSeverity.Error },
  });
}

const VENDOR_LIBRARIES: readonly VendorLibrary[] = [
  {
    title: "stripe",
    provider: "stripe",
    accepts: (sent, secret) => stripe.constructEvent(textOf(sent), headerOf(sent, "stripe-signature"), secret),
    defects: { "signed ten minutes ahead": NO_TIME_LIMIT_AHEAD },
  },
  {
    title: "standardwebhooks",
    provider: "standard-webhooks",
    accepts: (sent, secret) => new StandardWebhook(secret).verify(textOf(sent), sent.headers) ?? true,
  },
  {
    title: "svix",
    provider: "svix",
    accepts: (sent, secret) => new SvixWebhook(secret).verify(textOf(sent), sent.headers) ?? true,
  },
  {
    title: "@clerk/backend",
    provider: "clerk",
    accepts: (sent, secret) =>
      verifyClerk(new Request("https://gatehouse.test/", { method: "POST", ...sent }), { signingSecret: secret }).then(
        () => true,
      ),
  },
  {
    title: "@polar-sh/sdk",
    provider: "polar",
    accepts: async (sent, secret) => {
      await polarWebhooks.validateEvent(textOf(sent), sent.headers, secret);
      return true;
    },
  },
  {
    title: "@paddle/paddle-node-sdk",
    provider: "paddle",
    accepts: (sent, secret) => paddle.isSignatureValid(textOf(sent), secret, headerOf(sent, "paddle-signature")),
    defects: {
      "several signatures, genuine first": "the library reads only the last h1",
      "signed ten minutes ahead": NO_TIME_LIMIT_AHEAD,
    },
  },
  {
    title: "@adyen/api-library, payments",
    provider: "adyen",
    accepts: (sent, secret) => {
      const { notificationItems } = JSON.parse(textOf(sent));
      return notificationItems.every((item: { NotificationRequestItem: never }) =>
        adyen.validateHMAC(item.NotificationRequestItem, secret),
      );
    },
  },
  {
    title: "@adyen/api-library, platforms",
    provider: "adyen-platform",
    accepts: (sent, secret) => adyen.validateHMACSignature(secret, headerOf(sent, "hmacsignature"), textOf(sent)),
  },
  {
    title: "razorpay",
    provider: "razorpay",
    accepts: (sent, secret) =>
      Razorpay.validateWebhookSignature(textOf(sent), headerOf(sent, "x-razorpay-signature"), secret),
  },
  {
    title: "@shopify/shopify-api",
    provider: "shopify",
    accepts: async (sent, secret) => {
      const rawRequest = new Request("https://gatehouse.test/", { method: "POST", ...sent });
      return (await shopify(secret).webhooks.validate({ rawBody: textOf(sent), rawRequest })).valid;
    },
  },
];

/** The deliveries that are shown to both, by name. */
function deliveries(provider: ProviderSlug): [string, Sent][] {
  const { secret, otherSecret, settings = {}, signatureHeader, tamper, several } = FIXTURES[provider];
  const adapter = PROVIDERS[provider];
  const [type = ""] = Object.keys(adapter.samples);
  const body = sampleBody(adapter, type, "evt_1") ?? new Uint8Array();
  const signed = (change: { secret?: string; timestamp?: number } = {}) =>
    signedBy(provider, { body, type, id: "evt_1", secret, timestamp: NOW, settings, ...change });

  const genuine = signed();
  const altered = new TextEncoder().encode((tamper ?? ((text) => `${text} `))(textOf(genuine)));
  const cases: [string, Sent][] = [
    ["genuine", genuine],
    ["an altered body", { ...genuine, body: altered }],
    ["another secret", signed({ secret: otherSecret })],
  ];
  if (signatureHeader !== null) {
    const value = headerOf(genuine, signatureHeader);
    const withHeader = (changed: string): Sent => ({
      ...genuine,
      headers: { ...genuine.headers, [signatureHeader]: changed },
    });
    cases.push(
      ["half a signature", withHeader(value.slice(0, -20))],
      ["a signature of zeros", withHeader(value.replace(/[^=,;]{27,}=*$/, "0".repeat(64)))],
    );
    const [first, last] = several?.(value, headerOf(signed({ secret: otherSecret }), signatureHeader)) ?? [];
    if (first && last)
      cases.push(
        ["several signatures, genuine first", withHeader(first)],
        ["several signatures, genuine last", withHeader(last)],
      );
  }
  if (PROVIDERS[provider].toleranceSeconds !== null) {
    cases.push(
      ["signed ten minutes ago", signed({ timestamp: NOW - 600 })],
      ["signed ten minutes ahead", signed({ timestamp: NOW + 600 })],
    );
  }
  return cases;
}

describe.each(VENDOR_LIBRARIES.map((vendor) => [`${vendor.title} agrees on ${vendor.provider}:`, vendor] as const))(
  "%s",
  (_, { provider, accepts, defects = {} }) => {
    // Most libraries read the clock themselves.
    beforeAll(() => void vi.useFakeTimers({ toFake: ["Date"], now: NOW * 1000 }));
    afterAll(() => void vi.useRealTimers());

    const { secret, settings = {} } = FIXTURES[provider];
    for (const [name, sent] of deliveries(provider)) {
      const defect = defects[name];
      test.skipIf(defect !== undefined)(defect === undefined ? name : `${name} (not compared: ${defect})`, async () => {
        const scene = receiver({ [provider]: { ...enabled(secret), settings } });
        await scene.send(provider, sent);
        const ours = scene.store.deliveries[0]?.outcome === "accepted";
        const theirs = await Promise.resolve()
          .then(() => accepts(sent, secret))
          .then(Boolean, () => false);
        expect({ ours, theirs }).toEqual({ ours: name === "genuine" || name.startsWith("several"), theirs: ours });
      });
    }
  },
);

test("Stripe's library signs as the adapter does", () => {
  const payload = '{"id":"evt_1","type":"invoice.paid"}';
  const header = stripe.generateTestHeaderString({ payload, secret: "whsec_test_secret", timestamp: NOW });
  expect(
    signedBy("stripe", { body: payload, secret: "whsec_test_secret", timestamp: NOW }).headers["stripe-signature"],
  ).toBe(header);
});
