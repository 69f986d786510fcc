import { describe, expect, test } from "vitest";
import { enabled, receiver } from "../testing/scene.ts";
import type { ProviderSlug } from "./index.ts";

type Vector = {
  provider: ProviderSlug;
  /** Who published it; "derived" if it was computed for these tests. */
  origin: string;
  secret: string;
  body: string;
  headers: Record<string, string>;
  /** Unix seconds; any time where the scheme has none. */
  now?: number;
  reason?: string;
};

const STRIPE_BODY = '{"id":"evt_test_1","object":"event","type":"invoice.paid"}';
const STRIPE_MAC = "3e3e661992c26c45d9105cbea450acc1a34f8c6dbafbd891f858c6fd9054fe3e";
const PADDLE_BODY = '{"event_id":"evt_1","event_type":"transaction.completed"}';
const PADDLE_MAC = "e624fc4c394dd5ec942f7bb867cc146871bdd13b08338fe7408786b680835e6a";
const ZERO = "0".repeat(64);

const stripe = (origin: string, signature: string, reason = "accepted"): Vector => ({
  provider: "stripe",
  origin,
  secret: "whsec_test_secret",
  body: STRIPE_BODY,
  headers: { "stripe-signature": signature },
  now: 1_700_000_000,
  reason,
});

const paddle = (origin: string, signature: string): Vector => ({
  provider: "paddle",
  origin,
  secret: "pdl_ntfset_test_secret",
  body: PADDLE_BODY,
  headers: { "paddle-signature": signature },
  now: 1_700_000_000,
});

const standard = (origin: string, secret: string, signature: string): Vector => ({
  provider: "standard-webhooks",
  origin,
  secret,
  body: '{"test": 2432232314}',
  headers: {
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": "1614265330",
    "webhook-signature": signature,
  },
  now: 1_614_265_330,
});

const adyenItem = (value: number) => ({
  eventCode: "AUTHORISATION",
  success: "true",
  pspReference: "7914073381342284",
  merchantAccountCode: "TestMerchant",
  merchantReference: "TestPayment-1407325143704",
  amount: { value, currency: "EUR" },
  additionalData: { hmacSignature: "coqCmt/IZ4E3CzPvMY8zTjQVL5hYJUiBRg8UU+iCWo0=" },
});

const adyen = (origin: string, value: number, reason = "accepted"): Vector => ({
  provider: "adyen",
  origin,
  secret: "44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056",
  body: JSON.stringify({ live: "false", notificationItems: [{ NotificationRequestItem: adyenItem(value) }] }),
  headers: {},
  reason,
});

const VECTORS: readonly Vector[] = [
  stripe("derived", `t=1700000000,v1=${STRIPE_MAC}`),
  stripe("derived: rotation, the first v1 is wrong", `t=1700000000,v1=${ZERO},v1=${STRIPE_MAC}`),
  stripe("derived: v0 alone", `t=1700000000,v0=${STRIPE_MAC}`, "signature_scheme_unknown"),
  standard(
    "official: v1 of the reference library",
    "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  ),
  standard(
    "official: v1a of Svix",
    "whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=",
    "v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg==",
  ),
  paddle("derived", `ts=1700000000;h1=${PADDLE_MAC}`),
  paddle("derived: rotation, the last h1 is wrong", `ts=1700000000;h1=${PADDLE_MAC};h1=${ZERO}`),
  {
    provider: "lemonsqueezy",
    origin: "derived",
    secret: "ls_secret",
    body: '{"meta":{"event_name":"order_created"}}',
    headers: {
      "x-event-name": "order_created",
      "x-signature": "5d937ef635a85484d12a1c2c2232840f82a2632b89f4a6514dd6dfd883714df4",
    },
  },
  adyen("official: the documentation's sample", 1130),
  adyen("derived: the documentation's sample with another amount", 1131, "signature_mismatch"),
  {
    provider: "razorpay",
    origin: "derived",
    secret: "rzp_secret",
    body: '{"event":"payment.captured"}',
    headers: {
      "x-razorpay-event-id": "evt_rzp_1",
      "x-razorpay-signature": "0ea09d611215f3d22f53207c37444d3938ba1bd74925b558d3759f86683e48a5",
    },
  },
  {
    provider: "shopify",
    origin: "derived",
    secret: "shpss_secret",
    body: '{"id":1}',
    headers: {
      "x-shopify-topic": "orders/create",
      "x-shopify-webhook-id": "w1",
      "x-shopify-hmac-sha256": "xocA3LkeJ/RvNrkxep1EUtFHuj7rIoIqZYaLU26LyPQ=",
    },
  },
];

describe("test vectors", () => {
  test.each(VECTORS)(
    "$provider, $origin → $reason",
    async ({ provider, secret, body, headers, now = 1_700_000_000, reason = "accepted" }) => {
      const { send, store } = receiver({ [provider]: enabled(secret) }, { now });
      await send(provider, { body, headers: { "content-type": "application/json", ...headers } });
      expect(store.deliveries).toMatchObject([{ reason }]);
    },
  );
});
