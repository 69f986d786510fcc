import { readFact, writeFact } from "../facts.ts";
import type { Db, ReadDb } from "../query/db.ts";

/** What the installation knows of its backups. Times are Unix seconds. OP-53. */
export type BackupRecord = {
  /** The last one that was made. */
  made: { file: string; at: number; bytes: number } | null;
  /** The newest one in the object store, and when it was made. */
  stored: { file: string; at: number } | null;
  /** The last one that was restored aside and checked. */
  verified: { file: string; at: number; rows: number; milliseconds: number } | null;
  /** When a backup last replaced the database. */
  restored: { at: number } | null;
};

const FACT = "backups";
/** Before there is any. */
export const NO_BACKUPS: BackupRecord = { made: null, stored: null, verified: null, restored: null };

export async function readBackupRecord(db: ReadDb): Promise<BackupRecord> {
  const stored = await readFact(db, FACT);
  return stored === undefined ? NO_BACKUPS : { ...NO_BACKUPS, ...JSON.parse(stored) }; // written below
}

/** Records what changed; the rest stays. */
export async function recordBackup(db: Db, change: Partial<BackupRecord>): Promise<void> {
  await writeFact(db, FACT, JSON.stringify({ ...(await readBackupRecord(db)), ...change }));
}
