import { existsSync, statSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import type { OperationDeps } from "@gatehouse/console/deps";
import type { HostFacts } from "@gatehouse/console/status/host-facts";
import { newestDump } from "@gatehouse/db/backup/dumps";
import { newestBackup } from "@gatehouse/db/backup/list";
import { type BackupRecord, NO_BACKUPS, readBackupRecord } from "@gatehouse/db/backup/record";
import { type Database, sqliteFile } from "@gatehouse/db/database";
import { certificateEnd } from "@gatehouse/runtime/tls";
import { listRegisteredKeys } from "./seal/key-registry.ts";
import type { Settings } from "./settings/settings.ts";
import { VERSION } from "./version.ts";

type Host = Pick<OperationDeps, "db" | "seal"> & {
  database: Pick<Database, "dialect" | "schema">;
  settings: Pick<Settings, "databaseUrl" | "backups" | "process">;
};

/** What this machine shows of the installation: its program, its files and its disk. OP-79 */
export async function readHostFacts({ database, settings, db, seal }: Host): Promise<HostFacts> {
  const { missing } = await database.schema();
  const { tls } = settings.process;
  const file = sqliteFile(settings.databaseUrl);
  return {
    version: VERSION,
    node: process.versions.node,
    engine: database.dialect,
    missingMigrations: missing,
    walBytes: file === undefined ? null : sizeOf(`${file}-wal`),
    disk: file === undefined ? null : await diskOf(dirname(file)),
    backups: await backupsOf(settings, missing.length > 0 ? NO_BACKUPS : await readBackupRecord(db)),
    certificate: tls ? { endsAt: certificateEnd(tls.certFile) ?? null } : null,
    // Before the first migration there is no table of them.
    oldSealKeys: missing.length > 0 ? [] : (await listRegisteredKeys(db)).filter((id) => id !== seal.keys[0].id),
  };
}

/** 0 if there is no such file. */
function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

async function diskOf(folder: string): Promise<HostFacts["disk"]> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}

/** What can be seen of backups. Without tables there is no record of them. OP-53 */
async function backupsOf(
  { databaseUrl, backups: { dir, isDirSet, objectStore } }: Host["settings"],
  { made, stored, verified, restored }: BackupRecord,
): Promise<HostFacts["backups"]> {
  const restoredAt = restored?.at ?? null;
  if (sqliteFile(databaseUrl) === undefined) {
    if (!isDirSet) return { madeAt: null, verifiedAt: null, restoredAt, by: "others" };
    return { ...newestDump(dir), restoredAt, by: "dumps" };
  }
  const verifiedAt = verified?.at ?? null;
  if (objectStore.target) return { madeAt: stored?.at ?? null, verifiedAt, restoredAt, by: "store" };
  // The record counts only where the folder cannot be seen: it does not know that somebody deleted the file.
  const madeAt = existsSync(dir) ? newestBackup(dir) : (made?.at ?? null);
  return { madeAt, verifiedAt, restoredAt, by: "folder" };
}
