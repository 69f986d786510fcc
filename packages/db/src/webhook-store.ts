import type { Seal } from "@gatehouse/auth";
import type { WebhookStore } from "@gatehouse/webhooks";
import type { Handle } from "./handle.ts";
import { countOverflow, findSealedProvider, insertDelivery, insertDeliveryOnce } from "./queries/webhook-intake.ts";

/** The purpose under which signing secrets of providers are sealed. */
export const WEBHOOK_SECRET_PURPOSE = "webhook secret";

/**
 * The webhook receiver's store on this database. Nothing is cached: a change of configuration acts on the next delivery.
 * A secret that does not open (another key, an altered row) is left out, so its deliveries are refused, not let in.
 */
export function createWebhookStore(
  handle: Handle,
  seal: Pick<Seal, "open">,
  now: () => number = () => Math.floor(Date.now() / 1000),
): WebhookStore {
  return {
    async findProvider(provider) {
      const found = await findSealedProvider(handle, provider, now());
      if (!found) return undefined;
      const secrets = found.secrets.flatMap(({ id, sealed }) => {
        const value = seal.open(WEBHOOK_SECRET_PURPOSE, sealed);
        return value === undefined ? [] : [{ id, value }];
      });
      return { enabled: found.enabled, secrets };
    },
    acceptDelivery: (delivery, dedupeKey) => insertDeliveryOnce(handle, delivery, dedupeKey),
    recordRejection: (delivery) => insertDelivery(handle, delivery),
    countOverflow: (provider, reason, at) => countOverflow(handle, { provider, reason, now: at }),
  };
}
