import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mintId } from "@gatehouse/auth";
import { newestBackup } from "@gatehouse/db/backup/list";
import { readBackupRecord } from "@gatehouse/db/backup/record";
import type { Schedule } from "@gatehouse/work/jobs";
import type { Installation } from "../installation.ts";
import { isBackupOld } from "./due.ts";
import { endBackupLease } from "./lease.ts";

/** Starts the process that makes backups. `holder`: its name. It ends with 0 once it is done, and logs by itself. */
export type SpawnBackup = (holder: string) => ChildProcess;

export const BACKUP_TASK = "backup";
const LOOK_EVERY_SECONDS = 15 * 60;

/**
 * Makes backups in a process of its own whenever one is due, as `gatehouse backup scheduled` does; one that failed is
 * tried again with the next look. The process ends with the server. OP-51, OP-53
 */
export function scheduleBackups(
  schedule: Schedule,
  { settings, database, deps, log }: Pick<Installation, "settings" | "database" | "deps" | "log">,
  spawn: SpawnBackup,
): void {
  const { backups } = settings.current;
  const { background } = database;

  async function isDue(): Promise<boolean> {
    if (isBackupOld(backups, deps.now())) return true;
    if (!backups.objectStore.target) return false;
    const { stored } = await readBackupRecord(background);
    return (stored?.at ?? 0) < (newestBackup(backups.dir) ?? 0); // it could not be copied
  }

  schedule.every(LOOK_EVERY_SECONDS, BACKUP_TASK, async (stopping) => {
    if (!(await isDue())) return;
    const holder = mintId(deps.random);
    const child = spawn(holder);
    const end = () => void child.kill("SIGKILL"); // what it leaves behind, the next one deletes
    stopping.addEventListener("abort", end, { once: true });
    const [code, signal] = await once(child, "exit");
    stopping.removeEventListener("abort", end);
    if (signal !== null) await endBackupLease(background, holder);
    if (code !== 0 && !stopping.aborted)
      log.error({ code, signal }, "the backup failed; its process has logged why, and it is tried again in 15 minutes");
  });
}
