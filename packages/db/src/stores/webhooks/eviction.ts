import { readFact } from "../../facts.ts";
import type { ReadDb } from "../../query/db.ts";

/**
 * The fact that payloads are deleted early because the inbox is full: since when, in Unix seconds. Absent while they
 * are not.
 */
export const EVICTED_SINCE = "deliveries_evicted_since";

export async function evictedSince(db: ReadDb): Promise<number | null> {
  const since = await readFact(db, EVICTED_SINCE);
  return since === undefined ? null : Number(since);
}
