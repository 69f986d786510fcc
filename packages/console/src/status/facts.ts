import { readPartitions } from "@gatehouse/db/partitions/catalog";
import { type PartitionFacts, partitionFacts } from "@gatehouse/db/partitions/facts";
import { sweepLag } from "@gatehouse/db/sweep/lag";
import type { OperationDeps } from "../deps.ts";
import { readSchedule } from "../overview/queries.ts";
import { statTotals } from "../overview/stat-queries.ts";
import type { HostFacts } from "./host-facts.ts";
import { countJobs, type JobCounts, listSigningKeys } from "./queries.ts";

/** What the status and the metrics are made of. Times in Unix seconds. */
export type Facts = {
  at: number;
  host: HostFacts | undefined;
  /** Scheduled tasks, with for how many seconds each has been due; negative until then. */
  tasks: readonly { name: string; seconds: number }[];
  jobs: readonly JobCounts[];
  signingKeys: readonly { algorithm: string; ageSeconds: number }[];
  /** By table. */
  sweepLag: Readonly<Record<string, number>>;
  /** Tables that are partitioned. OP-35 */
  partitions: readonly PartitionFacts[];
  /** Of this hour and the one before. */
  refusals: readonly { cause: string; count: number }[];
  deliveries: { all: number; badSignatures: number };
};

type Deps = Pick<OperationDeps, "db" | "reads" | "now" | "host">;

const HOUR = 3_600;
const BAD_SIGNATURES = /(^|\/)signature_(missing|mismatch|malformed|scheme_unknown)$/;

/** Reads what {@link Facts} has: a bounded number of rows, whatever the size of the installation. */
export async function readFacts({ db, reads, now, host }: Deps): Promise<Facts> {
  const at = now();
  const from = at - (at % HOUR) - HOUR;
  const partitioned = await readPartitions(db, reads);
  const [hostFacts, schedule, jobs, signingKeys, lag, partitions, totals] = await Promise.all([
    host?.(),
    readSchedule(db, at),
    countJobs(reads, at),
    listSigningKeys(reads, at),
    sweepLag(reads, at, partitioned),
    partitionFacts(db, reads, partitioned, at),
    statTotals(reads, { resolution: "hour", from, metrics: ["refusal", "webhook_result"] }),
  ]);
  const refusals = totals
    .filter(({ metric }) => metric === "refusal")
    .map(({ key, count }) => ({ cause: key, count }))
    .toSorted((a, b) => b.count - a.count);
  const results = totals.filter(({ metric }) => metric === "webhook_result");
  const sum = (rows: readonly { count: number }[]) => rows.reduce((all, { count }) => all + count, 0);
  return {
    at,
    host: hostFacts,
    tasks: schedule.overdue,
    jobs,
    signingKeys,
    sweepLag: lag,
    partitions,
    refusals,
    deliveries: { all: sum(results), badSignatures: sum(results.filter(({ key }) => BAD_SIGNATURES.test(key))) },
  };
}
