import type { Db } from "@gatehouse/db/query/db";
import { dropLease, holdLease } from "@gatehouse/db/stores/jobs/leases";

const LEASE = "backup_run";
/** How long a process checks a large file without a pause, in which it renews nothing. One that lost its power blocks others as long. */
const LEASE_SECONDS = 1_200;
const RENEW_MS = 60_000;

/** Does the work unless another process makes, tries or deletes backups of this database: "busy". OP-22 */
export async function withBackupLease<Result>(
  db: Db,
  holder: string,
  work: () => Promise<Result>,
): Promise<Result | "busy"> {
  const hold = () => holdLease(db, LEASE, holder, LEASE_SECONDS);
  if (!(await hold())) return "busy";
  const renewal = setInterval(() => void hold().catch(() => {}), RENEW_MS).unref(); // the next one may succeed
  try {
    return await work();
  } finally {
    clearInterval(renewal);
    await endBackupLease(db, holder);
  }
}

/** Ends the lease of a process that can no longer do it. */
export const endBackupLease = (db: Db, holder: string): Promise<void> => dropLease(db, LEASE, holder);
