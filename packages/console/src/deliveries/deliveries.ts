import { toPage } from "@gatehouse/db/query/page";
import type { OperationDeps } from "../deps.ts";
import type { ListInput } from "../lists/filter.ts";
import type { DeliveryFilter } from "../lists/lists.ts";
import { positionOf } from "../paging.ts";
import type { Actor } from "../permissions.ts";
import { listEndpointFacts } from "../webhook-endpoints/set-queries.ts";
import { addressFor } from "./detail/rights.ts";
import { deliveryFacetRows } from "./facet-queries.ts";
import { modeContradicts } from "./mode.ts";
import { type DeliveryRow, listDeliveryRows } from "./queries.ts";

type ReadsOnly = Pick<OperationDeps, "reads">;

/** The filters and the page; `after` is the id of a delivery. */
export type DeliveryListInput = ListInput<DeliveryFilter> & { after?: string | undefined };

/**
 * A page of the inbox as this person may see it, newest first. With `after`, only deliveries newer than that one: what
 * a live view has not shown yet.
 */
export async function listDeliveries(
  { cursor, limit, after, ...filter }: DeliveryListInput,
  viewer: Actor,
  { reads, lists = reads }: Pick<OperationDeps, "lists" | "reads">,
) {
  const found = await listDeliveryRows(lists, filter, { position: positionOf(cursor), after, limit });
  const page = toPage(found, limit, ({ receivedAt, id }) => ({ at: receivedAt, id }));
  return { ...page, items: page.items.map((row) => itemFor(viewer, row)) };
}

/** A row of the inbox, and whether the provider's mark contradicts its environment. */
export type DeliveryItem = DeliveryRow & { modeContradicts: boolean };

/** A row of the inbox as this person may see it. CO-02. */
export function itemFor(viewer: Actor, row: DeliveryRow): DeliveryItem {
  return { ...row, modeContradicts: modeContradicts(row), address: addressFor(viewer, row.address) };
}

/** Values for the filters: what is configured, and what recent deliveries contain. */
export async function deliveryFacets({ reads }: ReadsOnly) {
  const [seen, configured] = await Promise.all([deliveryFacetRows(reads), listEndpointFacts(reads)]);
  const sorted = (values: readonly string[]) => [...new Set(values)].sort();
  return {
    providers: sorted([...configured.map(({ provider }) => provider), ...seen.providers]),
    endpoints: sorted([...configured.map(({ slug }) => slug), ...seen.endpoints]),
    eventTypes: seen.eventTypes,
  };
}
