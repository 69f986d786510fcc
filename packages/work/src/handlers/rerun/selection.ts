import { type Position, readCursor, toPage } from "@gatehouse/db/query/page";
import type { FoundRows } from "@gatehouse/db/query/scan";
import type { RerunSelection } from "@gatehouse/db/schema/sqlite/webhook-runs";

/**
 * The deliveries that match the filter of a run, newest first from `position` on; one more than `limit` if there are
 * more.
 */
export type ListMatching = (
  filter: Record<string, unknown>,
  position: Position | undefined,
  limit: number,
) => Promise<FoundRows<{ id: string; receivedAt: number; source: string }>>;

/** The next deliveries of a run. `cursor` says where the run continues; null at the end. */
export type Batch = { ids: readonly string[]; cursor: string | null };

/**
 * The next deliveries after `cursor`, at most `limit`. A filter's are found while the run works, the newest first,
 * without probes.
 */
export async function nextBatch(
  selection: RerunSelection,
  cursor: string | null,
  limit: number,
  listMatching: ListMatching,
): Promise<Batch> {
  if (selection.kind === "ids") {
    const from = Number(cursor ?? 0);
    const to = from + limit;
    return { ids: selection.ids.slice(from, to), cursor: to < selection.ids.length ? String(to) : null };
  }
  const position = cursor === null ? undefined : readCursor(cursor);
  const found = await listMatching(selection.filter, position, limit);
  const page = toPage(found, limit, ({ receivedAt, id }) => ({ at: receivedAt, id }));
  return { ids: page.items.filter(({ source }) => source !== "probe").map(({ id }) => id), cursor: page.nextCursor };
}
