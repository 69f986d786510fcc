import { github } from "./github.ts";
import { paddle } from "./paddle.ts";
import { paypal } from "./paypal.ts";
import { polar } from "./polar.ts";
import type { Reconciler } from "./reconciler.ts";
import { square } from "./square.ts";
import { stripe } from "./stripe.ts";

/** The providers that can be asked for events that never came. */
export const RECONCILERS: Readonly<Record<string, Reconciler>> = { stripe, github, paddle, polar, square, paypal };

export function reconcilerOf(provider: string): Reconciler | undefined {
  return Object.hasOwn(RECONCILERS, provider) ? RECONCILERS[provider] : undefined;
}
