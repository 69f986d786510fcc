import { readFact } from "../../facts.ts";
import type { ReadHandle } from "../../query/handle.ts";

/** The fact that payloads are deleted early because the inbox is full: since when, in Unix seconds. Absent while they are not. */
export const EVICTED_SINCE = "deliveries_evicted_since";

export async function evictedSince(handle: ReadHandle): Promise<number | null> {
  const since = await readFact(handle, EVICTED_SINCE);
  return since === undefined ? null : Number(since);
}
