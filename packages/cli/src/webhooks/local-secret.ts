import { randomBytes } from "node:crypto";
import type { ProviderSlug } from "@gatehouse/webhooks";

/** Providers whose secrets are `whsec_` and base64, or that accept any text. */
const STANDARD: readonly ProviderSlug[] = ["standard-webhooks", "svix", "clerk", "polar"];

/** A new signing secret in the form that the provider's scheme needs, for use on this machine. */
export function mintLocalSecret(provider: ProviderSlug): string {
  if (STANDARD.includes(provider)) return `whsec_${randomBytes(24).toString("base64")}`;
  if (provider === "stripe") return `whsec_${randomBytes(24).toString("hex")}`;
  return randomBytes(32).toString("hex"); // Adyen's keys are hex; the others accept any text
}
