import type { Seal } from "@gatehouse/auth";
import type { WebhookStore } from "@gatehouse/webhooks";
import { cacheRows } from "../cache/row-cache.ts";
import { countOverflow, findSealedProvider, insertDelivery, insertDeliveryOnce, MATCH_SECONDS } from "../queries/webhook-intake.ts";
import type { Handle } from "../query/handle.ts";

/** The purpose that providers' signing secrets are sealed for. */
export const WEBHOOK_SECRET_PURPOSE = "webhook secret";

/**
 * The webhook receiver's store on this database. A change of configuration applies to the next delivery. A secret that cannot be opened
 * (another key, an altered row) is only counted, so its deliveries are rejected.
 */
export function createWebhookStore(
  handle: Handle,
  seal: Pick<Seal, "open">,
  now: () => number = () => Math.floor(Date.now() / 1000),
): WebhookStore {
  const openedProvider = cacheRows(handle, "configuration", async (provider) => {
    const found = await findSealedProvider(handle, provider);
    if (!found) return undefined;
    const secrets = found.secrets.map(({ id, sealed, expiresAt }) => ({ id, value: seal.open(WEBHOOK_SECRET_PURPOSE, sealed), expiresAt }));
    return { enabled: found.enabled, secrets };
  });
  /** By secret, when this process last recorded a match. Once a minute is enough, and each write invalidates the cache. */
  const matchedAt = new Map<string, number>();

  return {
    async findProvider(provider) {
      const found = await openedProvider(provider);
      if (!found) return undefined;
      const at = now();
      const live = found.secrets.filter(({ expiresAt }) => expiresAt === null || expiresAt > at);
      const secrets = live.flatMap(({ id, value }) => (value === undefined ? [] : [{ id, value }]));
      return { enabled: found.enabled, secrets, unreadableSecrets: live.length - secrets.length };
    },
    async acceptDelivery(delivery, dedupeKey) {
      const { secretId, receivedAt } = delivery;
      const due = secretId !== null && receivedAt - (matchedAt.get(secretId) ?? 0) >= MATCH_SECONDS;
      if (!due) return insertDeliveryOnce(handle, delivery, dedupeKey);
      matchedAt.set(secretId, receivedAt);
      try {
        return await insertDeliveryOnce(handle, delivery, dedupeKey, true);
      } catch (cause) {
        matchedAt.delete(secretId);
        throw cause;
      }
    },
    recordRejection: (delivery) => insertDelivery(handle, delivery),
    countOverflow: (provider, reason, at) => countOverflow(handle, { provider, reason, now: at }),
  };
}
