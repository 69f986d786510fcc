import type { DeliveryFilter } from "@gatehouse/lists";
import type { Environment } from "@gatehouse/webhooks";
import { gt } from "drizzle-orm";
import type { ReadHandle } from "../query/handle.ts";

/** More endpoints than an installation has; bounds the query. */
const MOST_ENDPOINTS = 1_000;

export type EndpointFacts = { slug: string; provider: string; environment: Environment };

/** What a filter says about endpoints: nothing · only these · all but these. */
export type EndpointSet = { kind: "all" } | { kind: "only"; slugs: readonly string[] } | { kind: "except"; slugs: readonly string[] };

/** All configured endpoints, by slug. */
export async function listEndpointFacts({ db, tables: { webhookEndpoints: e } }: ReadHandle): Promise<EndpointFacts[]> {
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

/** The endpoints that a filter by endpoint, provider and environment leaves. */
export async function endpointSet(
  handle: ReadHandle,
  { endpoint, provider, environment }: Pick<DeliveryFilter, "endpoint" | "provider" | "environment">,
): Promise<EndpointSet> {
  if (provider === undefined && environment === undefined)
    return endpoint === undefined ? { kind: "all" } : { kind: "only", slugs: [endpoint] };
  const configured = await listEndpointFacts(handle);
  const fits = (row: EndpointFacts) =>
    (provider === undefined || row.provider === provider) && (environment === undefined || row.environment === environment);
  if (endpoint === undefined && provider === undefined && environment === "production")
    return { kind: "except", slugs: configured.filter((row) => !fits(row)).map(({ slug }) => slug) };

  const named = endpoint ?? provider;
  const candidates = endpoint === undefined ? configured : [];
  const withNamed = named === undefined || candidates.some(({ slug }) => slug === named) ? [] : [endpointFacts(configured, named)];
  return { kind: "only", slugs: [...candidates, ...withNamed].filter(fits).map(({ slug }) => slug) };
}
