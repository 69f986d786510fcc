import type { Seal } from "@gatehouse/auth";
import type { WebhookStore } from "@gatehouse/webhooks";
import type { Handle } from "./handle.ts";
import { countOverflow, findSealedProvider, insertDelivery, insertDeliveryOnce } from "./queries/webhook-intake.ts";
import { remember } from "./remembered.ts";

/** The purpose under which signing secrets of providers are sealed. */
export const WEBHOOK_SECRET_PURPOSE = "webhook secret";

/**
 * The webhook receiver's store on this database. A change of configuration acts on the next delivery.
 * A secret that does not open (another key, an altered row) is left out, so its deliveries are refused, not let in.
 */
export function createWebhookStore(
  handle: Handle,
  seal: Pick<Seal, "open">,
  now: () => number = () => Math.floor(Date.now() / 1000),
): WebhookStore {
  const openedProvider = remember(handle, "settings", async (provider) => {
    const found = await findSealedProvider(handle, provider);
    if (!found) return undefined;
    const secrets = found.secrets.flatMap(({ id, sealed, expiresAt }) => {
      const value = seal.open(WEBHOOK_SECRET_PURPOSE, sealed);
      return value === undefined ? [] : [{ id, value, expiresAt }];
    });
    return { enabled: found.enabled, secrets };
  });

  return {
    async findProvider(provider) {
      const found = await openedProvider(provider);
      if (!found) return undefined;
      const at = now();
      const live = found.secrets.filter(({ expiresAt }) => expiresAt === null || expiresAt > at);
      return { enabled: found.enabled, secrets: live.map(({ id, value }) => ({ id, value })) };
    },
    acceptDelivery: (delivery, dedupeKey) => insertDeliveryOnce(handle, delivery, dedupeKey),
    recordRejection: (delivery) => insertDelivery(handle, delivery),
    countOverflow: (provider, reason, at) => countOverflow(handle, { provider, reason, now: at }),
  };
}
