import type { AdapterSettings } from "../endpoint.ts";
import type { ReceiveDeps } from "../hit.ts";
import type { MessageToSign, SignedMessage } from "../providers/adapter.ts";
import type { ProviderSlug } from "../providers/index.ts";
import { createPayPalSender } from "./paypal-sender.ts";

/** What the tests that run for every provider need to know about one. */
export type ProviderFixture = {
  /** Two secrets that the provider could have issued. */
  secret: string;
  otherSecret: string;
  settings?: AdapterSettings;
  /** The header with the signature; null if the signature is in the body. */
  signatureHeader: string | null;
  /** Whether the signature covers the raw bytes of a JSON body. */
  signsRawJson: boolean;
  /** Changes something that is signed. By default, adds a space to the body. */
  tamper?: (body: string) => string;
  /** The values of the header that hold a genuine and a forged signature, where the scheme allows several. */
  several?: (genuine: string, forged: string) => readonly string[];
  /** The headers with a weaker scheme alone, where the provider has one. */
  downgrade?: (headers: Record<string, string>) => Record<string, string>;
  /** Signs in place of the adapter, if only the provider's private key can. */
  sign?: (message: MessageToSign) => SignedMessage;
  outbound?: ReceiveDeps["outbound"];
};

const standard = (prefix: "webhook" | "svix"): ProviderFixture => ({
  secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  otherSecret: "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD",
  signatureHeader: `${prefix}-signature`,
  signsRawJson: true,
  several: (genuine, forged) => [`${genuine} ${forged}`, `${forged} ${genuine}`, `v2,junk ${genuine}`],
  downgrade: (headers) => replaceIn(headers, `${prefix}-signature`, (value) => value.replace("v1,", "v0,")),
});

const text = (signatureHeader: string): ProviderFixture => ({
  secret: "test_secret_1",
  otherSecret: "test_secret_2",
  signatureHeader,
  signsRawJson: true,
});

const adyenKeys = {
  secret: "44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056",
  otherSecret: "D7DD5BA6146493707BF0BE7496F6404EC7A63616B7158EC927B9F54BB436765F",
};

const payPalSender = await createPayPalSender();

/** One for each provider. */
export const FIXTURES: Record<ProviderSlug, ProviderFixture> = {
  stripe: {
    ...text("stripe-signature"),
    secret: "whsec_test_secret",
    otherSecret: "whsec_other_secret",
    several: (genuine, forged) => [
      `${genuine},${entry(forged, "v1")}`,
      genuine.replace(",v1=", `,${entry(forged, "v1")},v1=`),
    ],
    downgrade: (headers) => replaceIn(headers, "stripe-signature", (value) => value.replace("v1=", "v0=")),
  },
  "standard-webhooks": standard("webhook"),
  svix: standard("svix"),
  clerk: standard("svix"),
  polar: { ...standard("webhook"), secret: "polar_whs_secret_1", otherSecret: "polar_whs_secret_2" },
  paddle: {
    ...text("paddle-signature"),
    secret: "pdl_ntfset_test_1",
    otherSecret: "pdl_ntfset_test_2",
    several: (genuine, forged) => [
      `${genuine};${entry(forged, "h1", ";")}`,
      genuine.replace(";h1=", `;${entry(forged, "h1", ";")};h1=`),
    ],
    downgrade: (headers) => replaceIn(headers, "paddle-signature", (value) => value.replace("h1=", "h0=")),
  },
  lemonsqueezy: text("x-signature"),
  adyen: {
    ...adyenKeys,
    signatureHeader: null,
    signsRawJson: false,
    tamper: (body) => body.replace('"value":1900', '"value":1901'),
  },
  "adyen-platform": { ...text("hmacsignature"), ...adyenKeys },
  razorpay: text("x-razorpay-signature"),
  shopify: text("x-shopify-hmac-sha256"),
  custom: {
    ...text("x-signature"),
    settings: {
      header: "X-Signature",
      template: "{id}.{timestamp}.{body}",
      prefix: "sha256=",
      separator: ",",
      idHeader: "x-event-id",
      timestampHeader: "x-timestamp",
      typePath: "type",
    },
    several: (genuine, forged) => [`${genuine},${forged}`, `${forged},${genuine}`],
    downgrade: (headers) => replaceIn(headers, "x-signature", (value) => value.replace("sha256=", "sha1=")),
  },
  paypal: {
    ...text("paypal-transmission-sig"),
    secret: "1JE4291016473214C",
    otherSecret: "9XL90610J3647323C",
    downgrade: (headers) => ({ ...headers, "paypal-auth-algo": "SHA1withRSA" }),
    sign: payPalSender.sign,
    outbound: payPalSender.outbound,
  },
  square: text("x-square-hmacsha256-signature"),
  mollie: {
    ...text("x-mollie-signature"),
    several: (genuine, forged) => [`${genuine}, ${forged}`, `${forged}, ${genuine}`],
    downgrade: (headers) => replaceIn(headers, "x-mollie-signature", (value) => value.replace("sha256=", "sha1=")),
  },
  braintree: {
    secret: "bt_public:bt_private",
    otherSecret: "bt_public:bt_other",
    signatureHeader: null,
    signsRawJson: false,
    tamper: (body) => body.replace("bt_payload=P", "bt_payload=Q"),
  },
  github: {
    ...text("x-hub-signature-256"),
    downgrade: ({ "x-hub-signature-256": signature = "", ...headers }) => ({
      ...headers,
      "x-hub-signature": signature,
    }),
  },
  workos: {
    ...text("workos-signature"),
    several: (genuine, forged) => [
      `${genuine},${entry(forged, "v1")}`,
      genuine.replace(",v1=", `,${entry(forged, "v1")},v1=`),
    ],
    downgrade: (headers) => replaceIn(headers, "workos-signature", (value) => value.replace("v1=", "v0=")),
  },
  "coinbase-commerce": text("x-cc-webhook-signature"),
  checkout: text("cko-signature"),
};

function replaceIn(
  headers: Record<string, string>,
  name: string,
  change: (value: string) => string,
): Record<string, string> {
  return { ...headers, [name]: change(headers[name] ?? "") };
}

/** The entry of this name in a header such as `t=1,v1=2`. */
function entry(header: string, name: string, separator = ","): string {
  return header.split(separator).find((one) => one.startsWith(`${name}=`)) ?? "";
}
