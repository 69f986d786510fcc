import type { ReadDb } from "@gatehouse/db/query/db";
import type { Environment } from "@gatehouse/webhooks";
import { type Column, gt, type SQL, sql } from "drizzle-orm";
import type { DeliveryFilter } from "../lists/lists.ts";

/** More endpoints than an installation has; bounds the query. */
const MOST_ENDPOINTS = 1_000;

export type EndpointFacts = { slug: string; provider: string; environment: Environment };

/** What a filter says about endpoints: nothing · only these. */
export type EndpointSet = { kind: "all" } | { kind: "only"; slugs: readonly string[] };

/** All configured endpoints, by slug. */
export async function listEndpointFacts(db: ReadDb): Promise<EndpointFacts[]> {
  const { webhookEndpoints: e } = db.tables;
  return db
    .select({ slug: e.slug, provider: e.provider, environment: e.environment })
    .from(e)
    .where(gt(e.slug, "")) // all of them, in the order of the index
    .orderBy(e.slug)
    .limit(MOST_ENDPOINTS);
}

/** An endpoint without a row is a provider's default one, in production. */
export function endpointFacts(configured: readonly EndpointFacts[], slug: string): EndpointFacts {
  return configured.find((row) => row.slug === slug) ?? { slug, provider: slug, environment: "production" };
}

/** The endpoints that a filter by endpoint and provider leaves. */
export async function endpointSet(
  db: ReadDb,
  { endpoint, provider }: Pick<DeliveryFilter, "endpoint" | "provider">,
): Promise<EndpointSet> {
  if (provider === undefined) return endpoint === undefined ? { kind: "all" } : { kind: "only", slugs: [endpoint] };
  const configured = await listEndpointFacts(db);
  // The provider's default endpoint can be without a row.
  const candidates =
    endpoint === undefined ? [...new Set([...configured.map(({ slug }) => slug), provider])] : [endpoint];
  return { kind: "only", slugs: candidates.filter((slug) => endpointFacts(configured, slug).provider === provider) };
}

/** Those of these endpoints that belong to an environment today. */
export async function slugsIn(db: ReadDb, environment: Environment, slugs: readonly string[]): Promise<string[]> {
  const configured = await listEndpointFacts(db);
  return slugs.filter((slug) => endpointFacts(configured, slug).environment === environment);
}

/** Whether this column names an endpoint of the set, in a form that no index serves. */
export function ofEndpoints(endpoint: Column, set: EndpointSet): SQL | undefined {
  if (set.kind === "all") return undefined;
  const list = sql.join(
    set.slugs.map((slug) => sql`${slug}`),
    sql`, `,
  );
  return sql`${endpoint} || '' in (${list})`;
}
