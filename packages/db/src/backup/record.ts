import { readFact, writeFact } from "../facts.ts";
import type { Db, ReadDb } from "../query/db.ts";

/** The last backup that was made, and the last one that was restored aside and checked. Times are Unix seconds. OP-53. */
export type BackupRecord = {
  made: { file: string; at: number; bytes: number } | null;
  verified: { file: string; at: number; rows: number; milliseconds: number } | null;
};

const FACT = "backups";
const NONE: BackupRecord = { made: null, verified: null };

export async function readBackupRecord(db: ReadDb): Promise<BackupRecord> {
  const stored = await readFact(db, FACT);
  return stored === undefined ? NONE : JSON.parse(stored); // written below
}

/** Records what was made or verified; the other part stays. */
export async function recordBackup(db: Db, change: Partial<BackupRecord>): Promise<void> {
  await writeFact(db, FACT, JSON.stringify({ ...(await readBackupRecord(db)), ...change }));
}
