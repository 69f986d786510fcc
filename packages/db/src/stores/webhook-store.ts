import type { Seal } from "@gatehouse/auth";
import type { EndpointSecret, EndpointSettings, WebhookStore } from "@gatehouse/webhooks";
import { cacheRows } from "../cache/row-cache.ts";
import { countOverflow, findSealedEndpoint, insertDelivery, insertDeliveryOnce, MATCH_SECONDS } from "../queries/webhook-intake.ts";
import type { Handle } from "../query/handle.ts";

/** The purpose that webhook endpoints' secrets are sealed for. */
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
  const configured = cacheRows(handle, "configuration", async (slug) => {
    const found = await findSealedEndpoint(handle, slug);
    if (!found) return undefined;
    const { secrets, ...endpoint } = found;
    return { endpoint, secrets: secrets.map((secret) => open(secret, seal)), current: undefined as Current | undefined };
  });
  /** By secret, when this process last recorded a match. Once a minute is enough, and each write invalidates the cache. */
  const matchedAt = new Map<string, number>();

  return {
    async findEndpoint(slug) {
      const found = await configured(slug);
      if (!found) return undefined;
      const at = now();
      if (found.current && at < found.current.until) return found.current.settings;
      found.current = settingsAt(found, at);
      return found.current.settings;
    },
    async acceptDelivery(delivery, events) {
      const { secretId, receivedAt } = delivery;
      const due = secretId !== null && receivedAt - (matchedAt.get(secretId) ?? 0) >= MATCH_SECONDS;
      if (!due) return insertDeliveryOnce(handle, delivery, events);
      matchedAt.set(secretId, receivedAt);
      try {
        return await insertDeliveryOnce(handle, delivery, events, true);
      } catch (cause) {
        matchedAt.delete(secretId);
        throw cause;
      }
    },
    recordRejection: (delivery) => insertDelivery(handle, delivery),
    async countOverflow(endpoint, reason, at) {
      const environment = (await configured(endpoint))?.endpoint.environment ?? "";
      await countOverflow(handle, { environment, endpoint, reason, now: at });
    },
  };
}

type SealedSecret = NonNullable<Awaited<ReturnType<typeof findSealedEndpoint>>>["secrets"][number];
type OpenedSecret = { kind: SealedSecret["kind"]; expiresAt: number | null; opened: EndpointSecret | undefined };

function open({ id, kind, expiresAt, sealed }: SealedSecret, seal: Pick<Seal, "open">): OpenedSecret {
  const value = seal.open(WEBHOOK_SECRET_PURPOSE, sealed);
  return { kind, expiresAt, opened: value === undefined ? undefined : { id, value } };
}

/** Valid until a secret ends. The receiver caches keys by these objects. */
type Current = { settings: EndpointSettings; until: number };
type Configured = { endpoint: Omit<EndpointSettings, "secrets" | "apiKeys" | "unreadableSecrets">; secrets: readonly OpenedSecret[] };

function settingsAt({ endpoint, secrets }: Configured, at: number): Current {
  const live = secrets.filter(({ expiresAt }) => expiresAt === null || expiresAt > at);
  const readable = (wanted: OpenedSecret["kind"]) => live.flatMap(({ kind, opened }) => (opened && kind === wanted ? [opened] : []));
  const unreadableSecrets = live.filter(({ kind, opened }) => kind === "signing" && !opened).length;
  return {
    settings: { ...endpoint, secrets: readable("signing"), apiKeys: readable("api_key"), unreadableSecrets },
    until: Math.min(...live.map(({ expiresAt }) => expiresAt ?? Number.POSITIVE_INFINITY)),
  };
}
