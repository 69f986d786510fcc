// Backups of an installation on SQLite. Not part of the installation's own entry: the server that serves needs none of it.

export { fileToBackUp, makeBackup, verifyBackup } from "./backups.ts";
export { drillBackup } from "./drill.ts";
export { BackupError } from "./error.ts";
export { endBackupLease, withBackupLease } from "./lease.ts";
export { withLocalFile } from "./local-file.ts";
export { listStored } from "./object-store/open.ts";
export { isObjectUrl } from "./object-store/store.ts";
export { type ScheduledBackup, scheduledBackup } from "./scheduled.ts";
