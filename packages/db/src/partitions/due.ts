import type { Partitions } from "./catalog.ts";
import { PARTITIONED, type PartitionedName, type PartitionedTable } from "./tables.ts";

/** What the sweeper has to know of the tables that are partitioned. */
export type SweptPartitions = Partial<Record<PartitionedName, SweptTable>>;

type SweptTable = {
  /**
   * It deletes rows with keys below this one alone; undefined is no limit. What is above goes with its partition. Below
   * are rows of the default partition, and those of the table as it was before: its first partition spans all keys
   * until some days after the command.
   */
  below: string | undefined;
  /** For how many seconds the oldest partition has been due to be dropped; 0 or less if it is not. */
  dueSeconds: number;
};

export function sweptPartitions(all: readonly Partitions[], now: number): SweptPartitions {
  const entries = all.map(({ table, partitions: [first] }): [PartitionedName, SweptTable] => {
    const { timeOf, keptSeconds }: PartitionedTable = PARTITIONED[table];
    const below = first === undefined ? undefined : (first.from ?? first.to ?? undefined);
    const due = first?.to == null ? 0 : now - keptSeconds - timeOf(first.to);
    return [table, { below, dueSeconds: due }];
  });
  return Object.fromEntries(entries);
}
