import type { Environment } from "@gatehouse/auth";
import type { Db, ReadDb, WriteQuery } from "@gatehouse/db/query/db";
import type { AdapterSettings, DeliveryReason, Forward } from "@gatehouse/webhooks";
import { and, eq, inArray, notExists, sql } from "drizzle-orm";
import { type ActiveSecrets, hasActiveSecrets } from "../webhook-secrets/queries.ts";

const DAY = 86_400;

export type EndpointRow = {
  /** The last segment of its URL. */
  slug: string;
  provider: string;
  environment: Environment;
  name: string | null;
  settings: AdapterSettings;
  /** Where its accepted events are sent; null if nowhere. */
  forward: Forward | null;
  createdAt: number;
  disabledAt: number | null;
  /** Raised by each change of the settings. */
  version: number;
  /** These three are up to ten seconds old. */
  lastAcceptedAt: number | null;
  lastRefusedAt: number | null;
  lastRefusedReason: DeliveryReason | null;
};

export type NewEndpoint = Pick<EndpointRow, "slug" | "provider" | "environment" | "name" | "settings" | "createdAt"> &
  Partial<Pick<EndpointRow, "disabledAt" | "forward">>;
/** The columns that an admin can change. */
export type EndpointChange = Partial<Pick<EndpointRow, "environment" | "name" | "settings" | "forward" | "disabledAt">>;

/** Every configured endpoint, by provider and age. */
export function listEndpoints(db: ReadDb): Promise<EndpointRow[]> {
  const { webhookEndpoints: e } = db.tables;
  return db.select().from(e).orderBy(e.provider, e.createdAt, e.slug);
}

export async function findEndpointRow(db: ReadDb, slug: string): Promise<EndpointRow | undefined> {
  const { webhookEndpoints: e } = db.tables;
  const [row] = await db.select().from(e).where(eq(e.slug, slug));
  return row;
}

/** The days of the last 30 on which the endpoint accepted a delivery: the start of each, in Unix seconds, ascending. */
export async function listAcceptingDays(
  db: ReadDb,
  { slug, environment }: Pick<EndpointRow, "slug" | "environment">,
  now: number,
): Promise<number[]> {
  const { statDay: s } = db.tables;
  const today = now - (now % DAY);
  const days = Array.from({ length: 30 }, (_, ago) => today - ago * DAY);
  const counted = and(eq(s.environment, environment), eq(s.metric, "webhook_result"), eq(s.key, `${slug}/accepted`));
  const rows = await db
    .select({ at: s.at })
    .from(s)
    .where(and(inArray(s.at, days), counted))
    .orderBy(s.at);
  return rows.map(({ at }) => at);
}

/** Adds an endpoint; returns no row if the slug is taken. */
export function endpointInsert(db: Db, row: NewEndpoint): WriteQuery {
  const { webhookEndpoints: e } = db.tables;
  return db.insert(e).values(row).onConflictDoNothing().returning({ slug: e.slug });
}

/** What a change of an endpoint was decided on. Who may make the change depends on the environment. */
export type EndpointAsRead = {
  environment: Environment;
  version?: number | undefined;
  activeSecrets?: ActiveSecrets | undefined;
};

/** Changes an endpoint; returns no row if there is none, or another one than was read. */
export function endpointUpdate(
  db: Db,
  slug: string,
  change: EndpointChange,
  { environment, version, activeSecrets }: EndpointAsRead,
): WriteQuery {
  const { webhookEndpoints: e } = db.tables;
  const isVersion = version === undefined ? undefined : eq(e.version, version);
  return db
    .update(e)
    .set({ ...change, version: sql`${e.version} + 1` })
    .where(
      and(
        eq(e.slug, slug),
        eq(e.environment, environment),
        isVersion,
        activeSecrets && hasActiveSecrets(db, slug, activeSecrets),
      ),
    )
    .returning({ slug: e.slug });
}

/**
 * Returns no row if the endpoint was changed, deleted or replaced since it was read; otherwise it stays as it is until
 * the transaction ends.
 */
export function endpointUnchanged(
  db: Db,
  { slug, environment, version }: Pick<EndpointRow, "slug" | "environment" | "version">,
): WriteQuery {
  const { webhookEndpoints: e } = db.tables;
  return db
    .update(e)
    .set({ slug })
    .where(and(eq(e.slug, slug), eq(e.environment, environment), eq(e.version, version)))
    .returning({ slug: e.slug });
}

/**
 * Deletes an endpoint with its secrets, but only while it is of this environment and the log has no delivery of it: a
 * delivery gets its provider from its endpoint. Returns no row if it was not deleted.
 */
export function endpointDelete(db: Db, { slug, environment }: Pick<EndpointRow, "slug" | "environment">): WriteQuery {
  const { webhookEndpoints: e, webhookDeliveries: d } = db.tables;
  const deliveries = db.select({ id: d.id }).from(d).where(eq(d.endpoint, slug));
  return db
    .delete(e)
    .where(and(eq(e.slug, slug), eq(e.environment, environment), notExists(deliveries)))
    .returning({ slug: e.slug });
}
