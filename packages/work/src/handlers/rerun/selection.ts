import { listDeliveryRows, type ReadHandle, type RerunSelection, readCursor, toPage } from "@gatehouse/db";

/** The next deliveries of a run. `cursor` says where the run goes on; null at the end. */
export type Batch = { ids: readonly string[]; cursor: string | null };

/** The next deliveries after `cursor`, at most `limit`. A filter's are found while the run works, the newest first, without probes. */
export async function nextBatch(selection: RerunSelection, cursor: string | null, limit: number, reads: ReadHandle): Promise<Batch> {
  if (selection.kind === "ids") {
    const from = Number(cursor ?? 0);
    const to = from + limit;
    return { ids: selection.ids.slice(from, to), cursor: to < selection.ids.length ? String(to) : null };
  }
  const position = cursor === null ? undefined : readCursor(cursor);
  const found = await listDeliveryRows(reads, selection.filter, { position, limit });
  const page = toPage(found, limit, ({ receivedAt, id }) => ({ at: receivedAt, id }));
  return { ids: page.items.filter(({ source }) => source !== "probe").map(({ id }) => id), cursor: page.nextCursor };
}
