import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Random } from "@gatehouse/auth";
import { type BackupRecord, recordBackup } from "@gatehouse/db/backup/record";
import { restoreFile } from "@gatehouse/db/backup/restore";
import { openDatabase } from "@gatehouse/db/database";
import type { Db } from "@gatehouse/db/query/db";
import type { Settings } from "../settings/settings.ts";
import { type Report, verifyBackup } from "./backups.ts";
import { withLocalFile } from "./local-file.ts";

type Where = Pick<Settings, "backups" | "secret" | "previousSecrets">;
type Tools = { random: Random; now: () => Date; report: Report };

/** Folders of this prefix in the backup folder are of a drill that runs, or was killed. */
export const DRILL_FOLDER = ".drill-";

/**
 * Restores a backup aside, as `gatehouse restore` would, opens it and checks it; says how long that took. The database
 * in use stays as it is. `backup`: a file, or its URL in the object store. Throws BackupError for one that could not be
 * restored. OP-53.
 */
export async function drillBackup(
  backup: string,
  settings: Where,
  db: Db,
  { random, now, report }: Tools,
): Promise<NonNullable<BackupRecord["verified"]>> {
  const began = performance.now();
  const { rows } = await withLocalFile(backup, settings, report, async (file) => {
    const verified = await verifyBackup(file, settings, { random, report });
    await restoreAside(file, settings, { random, report });
    return verified;
  });
  const milliseconds = Math.round(performance.now() - began);
  const verified = { file: backup, at: Math.floor(now().getTime() / 1000), rows, milliseconds };
  await recordBackup(db, { verified });
  return verified;
}

async function restoreAside(file: string, settings: Where, { random, report }: Pick<Tools, "random" | "report">) {
  report("Restoring it aside");
  const folder = mkdtempSync(join(settings.backups.dir, DRILL_FOLDER));
  try {
    const copy = join(folder, "restored.db");
    await restoreFile(file, copy, { keepAs: "", prepare: async () => {}, look: async () => {} });
    const restored = await openDatabase(`file:${copy}`);
    try {
      await restored.migrate();
    } finally {
      await restored.close();
    }
    await verifyBackup(copy, settings, { random, report });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
