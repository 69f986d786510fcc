import type { Environment, Seal } from "@gatehouse/auth";
import {
  type CountedHit,
  contradicts,
  type Delivery,
  type EndpointSecret,
  type EndpointSettings,
  type Forward,
  type OverflowReason,
  type WebhookStore,
} from "@gatehouse/webhooks";
import { cacheRows } from "../../cache/row-cache.ts";
import type { Db } from "../../query/db.ts";
import type { Counter, Stats } from "../stats/store.ts";
import { findSealedEndpoint, insertDelivery, insertDeliveryOnce } from "./intake.ts";

/** The purpose that webhook endpoints' secrets are sealed for. */
export const WEBHOOK_SECRET_PURPOSE = "webhook secret";

/**
 * The webhook receiver's store on this database. A change of configuration applies to the next delivery. A secret that
 * cannot be opened (another key, an altered row) is only counted, so its deliveries are rejected. `stats` counts
 * results and response times. Probes of the doctor are stored, and counted nowhere: they say nothing about the
 * provider. What came by HTTP alone shows that the provider reaches this server, and how fast it was answered; what a
 * comparison with the provider's list recovered does not.
 */
export function createWebhookStore(
  db: Db,
  seal: Pick<Seal, "open">,
  now: () => number = () => Math.floor(Date.now() / 1000),
  stats?: Pick<Stats, "count" | "counter" | "endpointAccepted" | "endpointRefused" | "secretMatched">,
): WebhookStore {
  const configured = cacheRows(db, "webhookEndpoints", async (slug) => {
    const found = await findSealedEndpoint(db, slug);
    if (!found) return undefined;
    const { secrets, ...endpoint } = found;
    return {
      endpoint,
      secrets: secrets.map((secret) => open(secret, seal)),
      current: undefined as Current | undefined,
    };
  });
  const count = ({ endpoint, environment, source }: CountedHit, metric: string, value: string) =>
    source === "probe"
      ? undefined
      : stats?.count({ environment: environment ?? "", metric, key: `${endpoint}/${value}` });

  /** From these, the sweeper knows how much the inbox stores. */
  const storedRows = stats?.counter({ environment: "", metric: "webhook_stored", key: "rows" });
  const storedBytes = stats?.counter({ environment: "", metric: "webhook_stored", key: "bytes" });
  function countStored({ body }: Delivery): void {
    storedRows?.();
    storedBytes?.(body.byteLength);
  }

  const accepting = new Map<string, AcceptCounters>();
  /** An endpoint that moves to another environment starts with other counters. */
  function countersOf({ endpoint, environment }: Delivery): AcceptCounters {
    const known = accepting.get(endpoint);
    if (known?.environment === environment) return known;
    const counter = (metric: string, value: string) =>
      stats?.counter({ environment, metric, key: `${endpoint}/${value}` });
    const made = {
      environment,
      accepted: counter("webhook_result", "accepted"),
      duplicate: counter("webhook_result", "duplicate"),
      answeredWithin: ACK_BOUNDS.map((bound) => counter("webhook_ack", String(bound))),
    };
    accepting.set(endpoint, made);
    return made;
  }

  function countRejection(hit: CountedHit, reason: OverflowReason, at: number): void {
    count(hit, "webhook_result", "rejected");
    count(hit, "webhook_reason", reason);
    if (reason !== "provider_unknown" && hit.source === "http") stats?.endpointRefused(hit.endpoint, at, reason);
  }

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
      const startedMs = performance.now();
      const isNew = await insertDeliveryOnce(db, delivery, events);
      const { endpoint, secretId, receivedAt, source } = delivery;
      countStored(delivery);
      if (source === "probe") return isNew;
      const counters = countersOf(delivery);
      counters[isNew ? "accepted" : "duplicate"]?.();
      if (isNew && contradicts(delivery.mode, delivery.environment))
        count(delivery, "webhook_mode", delivery.mode ?? "");
      if (source !== "http") return isNew;
      const ms = delivery.ackMs + performance.now() - startedMs;
      counters.answeredWithin[ACK_BOUNDS.findIndex((bound) => bound === "inf" || ms <= bound)]?.();
      stats?.endpointAccepted(endpoint, receivedAt);
      if (secretId !== null) stats?.secretMatched(secretId, receivedAt);
      return isNew;
    },
    async recordRejection(delivery) {
      countRejection(delivery, delivery.reason, delivery.receivedAt);
      await insertDelivery(db, delivery);
      countStored(delivery);
    },
    async countOverflow(hit, reason, at) {
      countRejection(hit, reason, at);
      count(hit, "webhook_overflow", reason);
    },
  };
}

/** Upper bounds of the response times that are counted together, in milliseconds. */
const ACK_BOUNDS = [2, 5, 10, 20, 35, 50, 75, 100, 150, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, "inf"] as const;

/** What an endpoint's accepted deliveries count. `answeredWithin` is in the order of {@link ACK_BOUNDS}. */
type AcceptCounters = Record<"accepted" | "duplicate", Counter | undefined> & {
  environment: Environment;
  answeredWithin: readonly (Counter | undefined)[];
};

type SealedSecret = NonNullable<Awaited<ReturnType<typeof findSealedEndpoint>>>["secrets"][number];
type OpenedSecret = { kind: SealedSecret["kind"]; expiresAt: number | null; opened: EndpointSecret | undefined };

function open({ id, kind, expiresAt, sealed }: SealedSecret, seal: Pick<Seal, "open">): OpenedSecret {
  const value = seal.open(WEBHOOK_SECRET_PURPOSE, sealed);
  return { kind, expiresAt, opened: value === undefined ? undefined : { id, value } };
}

/** Valid until a secret ends. The receiver caches keys by these objects. */
type Current = { settings: EndpointSettings; until: number };
type Configured = {
  endpoint: Omit<EndpointSettings, "secrets" | "apiKeys" | "forward" | "unreadableSecrets"> & {
    forward: Forward | null;
  };
  secrets: readonly OpenedSecret[];
};

function settingsAt({ endpoint: { forward, ...endpoint }, secrets }: Configured, at: number): Current {
  const live = secrets.filter(({ expiresAt }) => expiresAt === null || expiresAt > at);
  const readable = (wanted: OpenedSecret["kind"]) =>
    live.flatMap(({ kind, opened }) => (opened && kind === wanted ? [opened] : []));
  const unreadableSecrets = live.filter(({ kind, opened }) => kind === "signing" && !opened).length;
  return {
    settings: {
      ...endpoint,
      secrets: readable("signing"),
      apiKeys: readable("api_key"),
      forward: forward ? { ...forward, secrets: readable("forwarding") } : undefined,
      unreadableSecrets,
    },
    until: Math.min(...live.map(({ expiresAt }) => expiresAt ?? Number.POSITIVE_INFINITY)),
  };
}
