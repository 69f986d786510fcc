import type { DeliveredEvent, Delivery } from "@gatehouse/webhooks";
import { and, eq, isNull, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { compileAccept } from "../postgres/accept-statement.ts";
import { appendRow, batch, lookUp } from "../query/batching.ts";
import { type AcceptedDelivery, toBuffer } from "../query/delivery-rows.ts";
import type { Handle } from "../query/handle.ts";
import { memoized } from "../query/prepared.ts";
import { type Accept, createAccept } from "../sqlite/accept-delivery.ts";

const selectEndpoint = ({ db, tables: { webhookEndpoints: n, webhookSecrets: s } }: Handle, matching: (column: PgColumn) => SQL) =>
  db
    .select({
      slug: n.slug,
      provider: n.provider,
      environment: n.environment,
      settings: n.settings,
      disabledAt: n.disabledAt,
      secretId: s.id,
      kind: s.kind,
      sealed: s.sealed,
      expiresAt: s.expiresAt,
    })
    .from(n)
    .leftJoin(s, and(eq(s.endpoint, n.slug), isNull(s.removedAt)))
    .where(matching(n.slug))
    .orderBy(s.createdAt);

const ENDPOINT = { name: "find_webhook_endpoint", build: selectEndpoint, keyOf: ({ slug }: { slug: string }) => slug };

/** Its settings and sealed secrets, including expired but not removed ones; undefined if the endpoint was never configured. */
export async function findSealedEndpoint(handle: Handle, slug: string) {
  const rows = await lookUp(handle, ENDPOINT, slug);
  const [first] = rows;
  if (!first) return undefined;
  const secrets = rows.flatMap(({ secretId: id, kind, sealed, expiresAt }) =>
    id !== null && kind !== null && sealed !== null ? [{ id, kind, sealed, expiresAt }] : [],
  );
  const { provider, environment, settings, disabledAt } = first;
  return { slug, provider, environment, settings, enabled: disabledAt === null, secrets };
}

export async function insertDelivery(handle: Handle, delivery: Delivery): Promise<void> {
  await appendRow(handle, handle.tables.webhookDeliveries, { ...delivery, body: toBuffer(delivery.body), eventKey: null });
}

/**
 * Writes events, delivery and jobs in one transaction, so that a retry after a crash is new and a retry after an acknowledgement is a
 * duplicate. True if an event is new.
 */
export function insertDeliveryOnce(handle: Handle, delivery: Delivery, events: readonly DeliveredEvent[]): Promise<boolean> {
  return memoized(handle, "accept deliveries", () => (handle.local ? createAccept(handle.local, handle.tables) : acceptBatched(handle)))(
    delivery,
    events,
  );
}

/** Bounds the memory of a statement: a body has up to 1 MiB. */
const MAX_DELIVERIES = 64;

/** On PostgreSQL, where each statement is a round trip: the deliveries of one turn of the event loop in one. */
function acceptBatched(handle: Handle): Accept {
  const statementOf = compileAccept(handle.tables);
  const accept = batch(async (all: readonly AcceptedDelivery[]) => {
    const [rows = []] = await handle.transaction([statementOf(all)]);
    const brought = new Set(rows.map(([deliveryId]) => deliveryId));
    return all.map(({ delivery }) => brought.has(delivery.id));
  }, MAX_DELIVERIES);
  return (delivery, events) => accept({ delivery, events });
}
