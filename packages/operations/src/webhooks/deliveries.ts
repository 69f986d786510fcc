import { deliveryFacetRows, findDelivery, findEventOfDelivery, listDeliveryRows, listProviderNames, toPage } from "@gatehouse/db";
import type { DeliveryFilter, ListInput } from "@gatehouse/lists";
import type { OperationDeps } from "../deps.ts";
import { DomainError } from "../domain-error.ts";
import { positionOf } from "../page.ts";

type HandleOnly = Pick<OperationDeps, "handle">;
type ReadsOnly = Pick<OperationDeps, "reads">;

/** A page of the inbox, newest first. */
export async function listDeliveries({ cursor, limit, ...filter }: ListInput<DeliveryFilter>, { reads }: ReadsOnly) {
  const found = await listDeliveryRows(reads, filter, positionOf(cursor), limit);
  return toPage(found, limit, ({ receivedAt, id }) => ({ at: receivedAt, id }));
}

/** One delivery with headers and body. Throws `not_found`. */
export async function getDelivery(id: string, { handle }: HandleOnly) {
  const row = await findDelivery(handle, id);
  if (!row) throw new DomainError("not_found", "There is no such delivery, or it has been deleted because of its age.");
  const { body, eventKey, source: _source, endpoint, ...delivery } = row;
  const event = eventKey && (await findEventOfDelivery(handle, { endpoint, eventKey }));
  const bytes = body ?? new Uint8Array();
  const truncated = row.bodyBytes === null || row.bodyBytes > bytes.length;
  return { ...delivery, ...readable(bytes), truncated, event: event ? { firstDeliveryId: event.firstDeliveryId } : null };
}

/** Bytes as text if they are UTF-8, otherwise as base64, so that no byte is lost. */
function readable(bytes: Uint8Array): { body: string; bodyEncoding: "utf8" | "base64" } {
  try {
    return { body: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes), bodyEncoding: "utf8" };
  } catch {
    return { body: Buffer.from(bytes).toString("base64"), bodyEncoding: "base64" };
  }
}

/** Values for the filters: the configured providers, and what recent deliveries contain. */
export async function deliveryFacets({ handle, reads }: HandleOnly & ReadsOnly) {
  const [seen, configured] = await Promise.all([deliveryFacetRows(reads), listProviderNames(handle)]);
  return { providers: [...new Set([...configured, ...seen.providers])].sort(), eventTypes: seen.eventTypes };
}
