import { type Facts, readFacts } from "@gatehouse/console/status/facts";
import { metrics, onSnapshot } from "@gatehouse/runtime/metrics";
import type { Installation } from "./installation.ts";

/** Scrapes that come more often share what was read. */
const FRESH_MS = 10_000;
const GAUGES = [
  "jobs",
  "jobsOldestDue",
  "leaseAge",
  "signingKeyAge",
  "sweepOldestDead",
  "partitionsAhead",
  "partitionStrayRows",
  "sealedValues",
] as const;

/**
 * Keeps the gauges of what is in the database and on the disk, in the first process of a server: read when somebody
 * looks. While the database cannot be read they are left out, and gatehouse_db_errors_total says why. Returns what ends
 * it. OP-75
 */
export function keepGauges({ deps, log }: Pick<Installation, "deps" | "log">): () => void {
  let readAt = Number.NEGATIVE_INFINITY;
  return onSnapshot(async () => {
    if (performance.now() - readAt < FRESH_MS) return;
    readAt = performance.now();
    for (const name of GAUGES) metrics[name].clear();
    try {
      setGauges(await readFacts({ ...deps, ...deps.console }));
    } catch (error) {
      log.warn({ err: error }, "some metrics could not be read");
    }
  });
}

function setGauges({ at, host, tasks, jobs, signingKeys, sweepLag, partitions }: Facts): void {
  for (const { queue, state, count } of jobs) metrics.jobs.series(queue, state).set(count);
  for (const { queue, state, oldestAt } of jobs)
    if (state === "due") metrics.jobsOldestDue.series(queue).set(Math.max(0, at - oldestAt));
  for (const { name, seconds } of tasks) metrics.leaseAge.series(name).set(Math.max(0, seconds));
  for (const { algorithm, ageSeconds } of signingKeys) metrics.signingKeyAge.series(algorithm).set(ageSeconds);
  for (const [table, seconds] of Object.entries(sweepLag)) metrics.sweepOldestDead.series(table).set(seconds);
  for (const { table, ahead, strayRows } of partitions) {
    metrics.partitionsAhead.series(table).set(ahead);
    metrics.partitionStrayRows.series(table).set(strayRows);
  }
  if (!host) return;
  if (host.walBytes !== null) metrics.walBytes.series().set(host.walBytes);
  if (host.disk) {
    metrics.diskFree.series().set(host.disk.freeBytes);
    metrics.diskSize.series().set(host.disk.totalBytes);
  }
  if (host.backups.madeAt) metrics.backupSuccess.series().set(host.backups.madeAt);
  if (host.backups.verifiedAt) metrics.backupVerified.series().set(host.backups.verifiedAt);
  if (host.certificate?.endsAt) metrics.certificateEnd.series().set(host.certificate.endsAt);
  metrics.sealedValues.series("current").set(1);
  metrics.sealedValues.series("old").set(host.oldSealKeys.length);
}
