import { newestBackup } from "@gatehouse/db/backup/list";
import type { BackupSettings } from "../settings/backups.ts";

/** Whether the newest backup in the folder is so old that a server makes the next one. `now` in Unix seconds. OP-51 */
export function isBackupOld({ dir, everySeconds = 0 }: BackupSettings, now: number): boolean {
  const newest = newestBackup(dir);
  return newest === null || now - newest >= everySeconds;
}
