import type { KeptPartitions } from "@gatehouse/db/partitions/keep";
import type { Log } from "./log.ts";

/**
 * Makes and drops partitions. As an account that does not own the tables it does nothing: then `gatehouse db partition
 * --keep` runs from a timer, and the status says whether it does. OP-35, OP-100.
 */
export async function keepOwnPartitions(keep: () => Promise<KeptPartitions>, log: Log): Promise<void> {
  const { added, dropped, problems } = await keep();
  if (added.length > 0 || dropped.length > 0) log.info({ added, dropped }, "partitions were made and dropped");
  if (problems.length > 0)
    log.warn({ problems }, "some partitions could not be made or dropped; the next turn tries again");
}
