import type { Adapter } from "./adapter.ts";
import { adyen } from "./adyen.ts";
import { adyenPlatform } from "./adyen-platform.ts";
import { clerk } from "./clerk.ts";
import { custom } from "./custom.ts";
import { lemonsqueezy } from "./lemonsqueezy.ts";
import { paddle } from "./paddle.ts";
import { polar } from "./polar.ts";
import { razorpay } from "./razorpay.ts";
import { shopify } from "./shopify.ts";
import { standardWebhooks } from "./standard-webhooks.ts";
import { stripe } from "./stripe.ts";
import { svix } from "./svix.ts";

/** All providers, by the last segment of their URL, `/api/webhooks/<slug>`. A new provider is its file and its line here. */
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
} as const satisfies Record<string, Adapter>;

export type ProviderSlug = keyof typeof PROVIDERS;

/** Whether the segment names a provider. Inherited names such as `constructor` do not. */
export function isProvider(slug: string): slug is ProviderSlug {
  return Object.hasOwn(PROVIDERS, slug);
}
