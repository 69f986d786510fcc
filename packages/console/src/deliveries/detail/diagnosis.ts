import { WEBHOOK_SECRET_PURPOSE } from "@gatehouse/db/stores/webhooks/store";
import { siteKey } from "@gatehouse/runtime";
import {
  type CandidateEndpoint,
  type CandidateSecret,
  diagnose,
  type FetchDeps,
  keyOfEventId,
  readRetryClock,
} from "@gatehouse/webhooks";
import type { OperationDeps } from "../../deps.ts";
import { listWebhookSecrets, type WebhookSecretRow } from "../../webhook-secrets/queries.ts";
import { type OpenedDelivery, openDelivery } from "./opened-delivery.ts";
import { findEventOfDelivery, listEndpointSettings } from "./queries.ts";

/** Whose secrets are tried. */
const MAX_ENDPOINTS = 200;

/** Rejected deliveries that the provider probably did not send. */
const NOT_RETRIED: ReadonlySet<string> = new Set(["signature_missing", "method_not_allowed"]);

type Part = Pick<OperationDeps, "db" | "now" | "seal" | "config" | "providerRequests">;

/**
 * Why a delivery was rejected, computed from what is stored of it and from all configured secrets, and whether it is
 * lost. Contains no secret but names and last characters. For people who see the log, never for the sender. Throws
 * `not_found`.
 */
export async function diagnoseDelivery(id: string, deps: Part) {
  const opened = await openDelivery(id, deps);
  const { row, adapter } = opened;
  if (row.outcome !== "rejected" || !adapter) return { findings: [], limit: null, accepted: null, retries: [] };

  const candidates = await candidatesOf(opened, deps);
  const own = { ...candidates.own, url: `${deps.config.issuer}/api/webhooks/${row.endpoint}` };
  const [{ findings, limit }, accepted] = await Promise.all([
    diagnose(row, own, candidates.others, {
      now: deps.now,
      sender: FROM_CONSOLE,
      ...(deps.providerRequests ?? NO_REQUESTS),
    }),
    acceptedLater(opened, deps),
  ]);
  return { findings: [...findings], limit, accepted, retries: accepted ? [] : retriesOf(opened, deps.now()) };
}

/** Requests that reading about a delivery causes are counted apart from those of senders. */
const FROM_CONSOLE = siteKey({ address: null }, "console");

const NO_REQUESTS: Omit<FetchDeps, "now" | "sender"> = {
  fetchCertificate: () => Promise.reject(new Error("there are no requests to providers")),
  fetchBack: () => Promise.reject(new Error("there are no requests to providers")),
};

/** The delivery of the same event that was accepted. The event's id is not verified, so this is a hint. */
async function acceptedLater({ row: { endpoint, eventId }, environment }: OpenedDelivery, { db }: Part) {
  if (eventId === null) return null;
  const event = await findEventOfDelivery(db, { endpoint, eventKey: Buffer.from(keyOfEventId(eventId, environment)) });
  return event ? { deliveryId: event.firstDeliveryId, receivedAt: event.receivedAt } : null;
}

/**
 * What the provider still does about this delivery. The endpoint counts as failing from it on, unless it has accepted
 * another since.
 */
function retriesOf({ row, adapter, lastAcceptedAt }: OpenedDelivery, now: number): string[] {
  if (!adapter || NOT_RETRIED.has(row.reason)) return [];
  const failingSince = lastAcceptedAt !== null && lastAcceptedAt > row.receivedAt ? null : row.receivedAt;
  return [...readRetryClock(adapter, { firstSentAt: row.receivedAt, failingSince }, now).sentences];
}

async function candidatesOf(opened: OpenedDelivery, { db, now, seal }: Part) {
  const [endpoints, rows] = await Promise.all([listEndpointSettings(db, MAX_ENDPOINTS), listWebhookSecrets(db)]);
  const secretsOf = (slug: string): CandidateSecret[] =>
    rows
      .filter(({ endpoint, kind }) => endpoint === slug && kind === "signing")
      .flatMap((row) => candidateOf(row, seal, now()));
  const candidate = (
    endpoint: Omit<CandidateEndpoint["endpoint"], "secrets" | "apiKeys" | "unreadableSecrets">,
  ): CandidateEndpoint => {
    const secrets = secretsOf(endpoint.slug);
    const active = secrets.filter(({ endedAt }) => endedAt === null).map(({ id, value }) => ({ id, value }));
    return { endpoint: { ...endpoint, secrets: active, apiKeys: [], unreadableSecrets: 0 }, secrets };
  };
  const { row, provider, environment, settings } = opened;
  return {
    own: candidate({ slug: row.endpoint, provider, environment, settings, enabled: true }),
    others: endpoints
      .filter(({ slug }) => slug !== row.endpoint)
      .map(({ disabledAt, ...endpoint }) => candidate({ ...endpoint, enabled: disabledAt === null })),
  };
}

function candidateOf(
  { id, sealed, name, hint, expiresAt, removedAt }: WebhookSecretRow,
  seal: Part["seal"],
  now: number,
): CandidateSecret[] {
  const value = seal.open(WEBHOOK_SECRET_PURPOSE, sealed);
  if (value === undefined) return [];
  const ended = expiresAt !== null && expiresAt <= now ? expiresAt : removedAt;
  return [{ id, value, label: name === null ? `…${hint}` : `“${name}” (…${hint})`, endedAt: ended }];
}
