import type { Adapter } from "./adapter.ts";
import { clerk } from "./clerk.ts";
import { polar } from "./polar.ts";
import { standardWebhooks } from "./standard-webhooks.ts";
import { stripe } from "./stripe.ts";
import { svix } from "./svix.ts";

/** Every provider there is, by the last segment of its URL, `/api/webhooks/<slug>`. */
export const PROVIDERS = {
  stripe,
  "standard-webhooks": standardWebhooks,
  svix,
  clerk,
  polar,
} as const satisfies Record<string, Adapter>;

export type ProviderSlug = keyof typeof PROVIDERS;

/** Whether the segment names a provider; `constructor` and its like do not. */
export function isProvider(slug: string): slug is ProviderSlug {
  return Object.hasOwn(PROVIDERS, slug);
}
