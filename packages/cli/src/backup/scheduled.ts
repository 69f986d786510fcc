import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { mintId, type Random } from "@gatehouse/auth";
import { manifestOf } from "@gatehouse/db/backup/backup";
import { listBackups } from "@gatehouse/db/backup/list";
import { type BackupRecord, readBackupRecord, recordBackup } from "@gatehouse/db/backup/record";
import { restoreFile } from "@gatehouse/db/backup/restore";
import { openDatabase } from "@gatehouse/db/database";
import type { Db } from "@gatehouse/db/query/db";
import { endLease, holdLease } from "@gatehouse/db/stores/jobs/leases";
import type { Settings } from "@gatehouse/installation";
import { makeBackup, verifyBackup } from "./backups.ts";
import { type Keep, superfluous } from "./keep.ts";

type Report = (step: string) => void;
type Tools = { random: Random; now: () => Date; report: Report };
type Where = Pick<Settings, "databaseUrl" | "backupDir" | "secret" | "previousSecrets">;

const LEASE = "backup";
/** Longer than a backup takes, so that a process that died keeps others from it for an hour at most. */
const LEASE_SECONDS = 3_600;
const DRILL_EVERY_SECONDS = 7 * 86_400;

export type ScheduledBackup = {
  made: string;
  deleted: string[];
  /** Undefined if none was due. */
  drill: BackupRecord["verified"] | undefined;
};

/**
 * What a timer does: makes a backup, once a week restores the newest one aside, and then deletes those that are not
 * kept. Of several machines with one database, one does it at a time; "busy" for the others. OP-51, OP-53.
 */
export async function scheduledBackup(
  settings: Where & { keep: Keep },
  db: Db,
  tools: Tools,
): Promise<ScheduledBackup | "busy"> {
  const holder = mintId(tools.random);
  if (!(await holdLease(db, LEASE, holder, LEASE_SECONDS))) return "busy";
  try {
    const { file, bytes } = await makeBackup(settings, undefined, tools);
    await recordBackup(db, { made: { file, at: seconds(tools.now()), bytes } });
    const { verified } = await readBackupRecord(db);
    const due = verified === null || seconds(tools.now()) - verified.at >= DRILL_EVERY_SECONDS;
    const drill = due ? await drillBackup(file, settings, db, tools) : undefined;
    return { made: file, deleted: await deleteOld(settings, db, tools.report), drill };
  } finally {
    await endLease(db, LEASE, holder, 0);
  }
}

/**
 * Restores a backup aside, as `gatehouse restore` would, opens it and checks it; says how long that took. The database
 * in use stays as it is. Throws BackupError for one that could not be restored. OP-53.
 */
export async function drillBackup(
  file: string,
  settings: Where,
  db: Db,
  { random, now, report }: Tools,
): Promise<NonNullable<BackupRecord["verified"]>> {
  const began = performance.now();
  const folder = mkdtempSync(join(settings.backupDir, ".drill-"));
  try {
    const { rows } = await verifyBackup(file, settings, { random, report });
    report("Restoring it aside");
    const copy = join(folder, "restored.db");
    await restoreFile(file, copy, { keepAs: "", prepare: async () => {}, look: async () => {} });
    const restored = await openDatabase(`file:${copy}`);
    try {
      await restored.migrate();
    } finally {
      await restored.close();
    }
    await verifyBackup(copy, settings, { random, report });
    const verified = { file, at: seconds(now()), rows, milliseconds: Math.round(performance.now() - began) };
    await recordBackup(db, { verified });
    return verified;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Deletes what is not kept, but never the last backup that was verified. */
async function deleteOld({ backupDir, keep }: { backupDir: string; keep: Keep }, db: Db, report: Report) {
  const { verified } = await readBackupRecord(db);
  const present = listBackups(backupDir).filter(({ state }) => state !== "missing");
  const old = superfluous(present, keep, verified?.file);
  for (const { file } of old) {
    report(`Deleting ${file}`);
    rmSync(file, { force: true });
    rmSync(manifestOf(file), { force: true });
  }
  return old.map(({ file }) => file);
}

const seconds = (instant: Date) => Math.floor(instant.getTime() / 1000);
