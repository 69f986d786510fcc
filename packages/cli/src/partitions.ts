import type { PartitionPlan } from "@gatehouse/db/partitions/convert";

/** What partitioning a table would do, for people. */
export function describePartitionPlan({ table, statements, obstacles }: PartitionPlan): string {
  if (obstacles.length > 0) return `${table} cannot be partitioned: ${obstacles.join(" ")}`;
  if (statements.length === 0) return `${table} is partitioned.`;
  const [bound = "", validate = "", ...swap] = statements;
  return [
    `${table} becomes the first partition of itself.`,
    "1. Reads and writes wait for some milliseconds:",
    `   ${bound};`,
    "2. Reads all rows once; nothing waits:",
    `   ${validate};`,
    "3. One transaction; reads and writes wait for some milliseconds:",
    ...swap.map((statement) => `   ${statement};`),
  ].join("\n");
}
