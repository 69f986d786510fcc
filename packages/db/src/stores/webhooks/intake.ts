import type { DeliveredEvent, Delivery } from "@gatehouse/webhooks";
import { and, eq, isNull, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import * as postgres from "../../postgres/accept-delivery.ts";
import { appendRow, lookUp } from "../../query/batching.ts";
import type { Db } from "../../query/db.ts";
import { memoized } from "../../query/prepared.ts";
import * as sqlite from "../../sqlite/accept-delivery.ts";
import { toBuffer } from "./delivery-rows.ts";

const selectEndpoint = (db: Db, matching: (column: PgColumn) => SQL) => {
  const { webhookEndpoints: n, webhookSecrets: s } = db.tables;
  return db
    .select({
      slug: n.slug,
      provider: n.provider,
      environment: n.environment,
      settings: n.settings,
      forward: n.forward,
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
};

const ENDPOINT = { name: "find_webhook_endpoint", build: selectEndpoint, keyOf: ({ slug }: { slug: string }) => slug };

/**
 * Its settings and sealed secrets, including expired but not removed ones; undefined if the endpoint was never
 * configured.
 */
export async function findSealedEndpoint(db: Db, slug: string) {
  const rows = await lookUp(db, ENDPOINT, slug);
  const [first] = rows;
  if (!first) return undefined;
  const secrets = rows.flatMap(({ secretId: id, kind, sealed, expiresAt }) =>
    id !== null && kind !== null && sealed !== null ? [{ id, kind, sealed, expiresAt }] : [],
  );
  const { provider, environment, settings, forward, disabledAt } = first;
  return { slug, provider, environment, settings, forward, enabled: disabledAt === null, secrets };
}

export async function insertDelivery(db: Db, delivery: Delivery): Promise<void> {
  await appendRow(db, db.tables.webhookDeliveries, { ...delivery, body: toBuffer(delivery.body), eventKey: null });
}

/**
 * Writes events, delivery and jobs in one transaction, so that a retry after a crash is new and a retry after an
 * acknowledgement is a duplicate. True if an event is new.
 */
export function insertDeliveryOnce(db: Db, delivery: Delivery, events: readonly DeliveredEvent[]): Promise<boolean> {
  const accept = memoized(db, "accept deliveries", () =>
    db.local ? sqlite.createAccept(db.local, db.tables) : postgres.createAccept(db),
  );
  return accept(delivery, events);
}
