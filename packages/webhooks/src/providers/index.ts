import type { Adapter } from "./adapter.ts";
import { adyen } from "./adyen.ts";
import { adyenPlatform } from "./adyen-platform.ts";
import { braintree } from "./braintree.ts";
import { checkout } from "./checkout.ts";
import { clerk } from "./clerk.ts";
import { coinbaseCommerce } from "./coinbase-commerce.ts";
import { custom } from "./custom.ts";
import { github } from "./github.ts";
import { lemonsqueezy } from "./lemonsqueezy.ts";
import { mollie } from "./mollie.ts";
import { paddle } from "./paddle.ts";
import { paypal } from "./paypal.ts";
import { polar } from "./polar.ts";
import { razorpay } from "./razorpay.ts";
import { shopify } from "./shopify.ts";
import { square } from "./square.ts";
import { standardWebhooks } from "./standard-webhooks.ts";
import { stripe } from "./stripe.ts";
import { svix } from "./svix.ts";
import { workos } from "./workos.ts";

/**
 * All providers, by the last segment of their URL, `/api/webhooks/<slug>`. A new provider is its file and its line
 * here.
 */
export const PROVIDERS = {
  stripe,
  "standard-webhooks": standardWebhooks,
  svix,
  clerk,
  polar,
  paddle,
  lemonsqueezy,
  adyen,
  "adyen-platform": adyenPlatform,
  razorpay,
  shopify,
  custom,
  paypal,
  square,
  mollie,
  braintree,
  github,
  workos,
  "coinbase-commerce": coinbaseCommerce,
  checkout,
} as const satisfies Record<string, Adapter>;

export type ProviderSlug = keyof typeof PROVIDERS;

/** Whether the segment names a provider. Inherited names such as `constructor` do not. */
export function isProvider(slug: string): slug is ProviderSlug {
  return Object.hasOwn(PROVIDERS, slug);
}
