import { deliveryFacetRows, listDeliveryRows, listProviderNames, toPage } from "@gatehouse/db";
import type { DeliveryFilter, ListInput } from "@gatehouse/lists";
import type { OperationDeps } from "../deps.ts";
import { positionOf } from "../page.ts";

type HandleOnly = Pick<OperationDeps, "handle">;
type ReadsOnly = Pick<OperationDeps, "reads">;

/** A page of the inbox, newest first. */
export async function listDeliveries({ cursor, limit, ...filter }: ListInput<DeliveryFilter>, { reads }: ReadsOnly) {
  const found = await listDeliveryRows(reads, filter, positionOf(cursor), limit);
  return toPage(found, limit, ({ receivedAt, id }) => ({ at: receivedAt, id }));
}

/** Values for the filters: the configured providers, and what recent deliveries contain. */
export async function deliveryFacets({ handle, reads }: HandleOnly & ReadsOnly) {
  const [seen, configured] = await Promise.all([deliveryFacetRows(reads), listProviderNames(handle)]);
  return { providers: [...new Set([...configured, ...seen.providers])].sort(), eventTypes: seen.eventTypes };
}
