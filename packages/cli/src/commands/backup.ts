import { randomBytes } from "node:crypto";
import { mintId } from "@gatehouse/auth";
import { listBackups } from "@gatehouse/db/backup/list";
import type { Settings } from "@gatehouse/installation";
import {
  BackupError,
  drillBackup,
  fileToBackUp,
  isObjectUrl,
  listStored,
  makeBackup,
  scheduledBackup,
  verifyBackup,
  withBackupLease,
  withLocalFile,
} from "@gatehouse/installation/backup";
import { Command } from "commander";
import { endAfterRestore, type Restored, restore } from "../backup/restore.ts";
import { pathFromCaller, settings } from "../env.ts";
import { withInstallation } from "../installation.ts";
import { print, report } from "../output.ts";

const tools = { random: randomBytes, now: () => new Date(), report };

/** `gatehouse backup [to] | scheduled | verify | drill | list`. */
export function backupCommand(): Command {
  const backup = new Command("backup")
    .summary("Back up the SQLite database while servers run")
    .description(
      "Back up the SQLite database while servers run, and check the copy.\n" +
        "A backup does not contain GATEHOUSE_SECRET: keep the secret somewhere else, or the backup cannot be restored.",
    );

  backup
    .command("make", { isDefault: true })
    .description("Make a backup with a manifest next to it (the default)")
    .argument(
      "[to]",
      "file, or existing folder (default: GATEHOUSE_BACKUP_DIR, or the folder backups in the data directory)",
    )
    .action(async (to?: string) =>
      print(await makeBackup(settings(), to === undefined ? undefined : pathFromCaller(to), tools)),
    );

  backup
    .command("verify")
    .description("Check a whole backup against its manifest and GATEHOUSE_SECRET; exit with 1 if anything is wrong")
    .argument("[backup]", "file, or s3:// URL (default: the newest in the backup folder)")
    .action(async (place?: string) => {
      const current = settings();
      const backup = place === undefined ? newest(current) : placeFromCaller(place);
      const verified = await withLocalFile(backup, current, report, (file) => verifyBackup(file, current, tools));
      print({ ...verified, file: backup });
    });

  backup
    .command("scheduled")
    .summary("What a daily timer runs: make a backup, copy it, delete old ones, and each week restore one aside")
    .description(
      "Make a backup, copy it to the object store of GATEHOUSE_BACKUP_S3, and delete those that GATEHOUSE_BACKUP_KEEP does\n" +
        "not keep; never the last one that was verified. Once a week the backup is restored aside, opened and checked.\n" +
        "Servers do this by themselves where GATEHOUSE_BACKUP_DIR or GATEHOUSE_BACKUP_S3 is set. Otherwise run it daily,\n" +
        "from a timer.",
    )
    .action(async () => {
      const current = settings();
      fileToBackUp(current);
      print(orBusy(await withInstallation(current, ({ db }) => scheduledBackup(current, db, tools)), "made"));
    });

  backup
    .command("drill")
    .description("Restore the newest backup aside, open and check it, and say how long that took")
    .argument("[backup]", "file, or s3:// URL (default: the newest in the backup folder)")
    .action(async (place?: string) => {
      const current = settings();
      fileToBackUp(current);
      const backup = place === undefined ? newest(current) : placeFromCaller(place);
      const drill = await withInstallation(current, ({ db }) =>
        withBackupLease(db, mintId(randomBytes), () => drillBackup(backup, current, db, tools)),
      );
      print(orBusy(drill, "verified"));
    });

  backup
    .command("list")
    .description("List the backups in a folder, oldest first, and then those in the object store")
    .argument("[folder]", "folder (default: the backup folder, and the object store if there is one)")
    .action(async (folder?: string) => {
      const current = settings();
      fileToBackUp(current);
      const { dir, objectStore } = current.backups;
      const stored = folder === undefined && objectStore.target ? await listStored(objectStore) : [];
      print([...listBackups(folder === undefined ? dir : pathFromCaller(folder)), ...stored]);
    });

  return backup;
}

const placeFromCaller = (place: string) => (isObjectUrl(place) ? place : pathFromCaller(place));

const orBusy = (done: object | "busy", what: string) =>
  done === "busy" ? { [what]: null, reason: "another process makes or tries a backup now" } : done;

function newest({ backups: { dir } }: Pick<Settings, "backups">): string {
  const [last] = listBackups(dir).slice(-1);
  if (!last) throw new BackupError([`There is no backup in ${dir}.`]);
  return last.file;
}

/** `gatehouse restore <backup>`. */
export function restoreCommand(): Command {
  return new Command("restore")
    .summary("Replace the SQLite database with a backup")
    .description(
      "Replace the SQLite database with a backup. Stop all servers first. The old database is kept next to it.\n" +
        "Every session, token, API token and recovery code of the backup ends, because some were used or revoked after it was made.",
    )
    .argument("<backup>", "file, or s3:// URL as gatehouse backup list prints it")
    .option(
      "--keep-grants",
      "keep the backup's sessions, tokens and recovery codes, including those used or revoked since",
    )
    .action(async (place: string, { keepGrants = false }: { keepGrants?: boolean }) => {
      const restored = await restore(placeFromCaller(place), settings(), { keepGrants, ...tools });
      print(restored);
      warn(restored);
    });
}

/** `gatehouse restored`. */
export function restoredCommand(): Command {
  return new Command("restored")
    .description(
      "End every session, token, API token and recovery code after you restored PostgreSQL to an earlier point in time",
    )
    .action(async () => {
      const restored = await withInstallation(settings(), endAfterRestore, { anySecret: true });
      print(restored);
      warn(restored);
    });
}

function warn({ ended, webhook_dedupe_gap: { from, to } }: Pick<Restored, "ended" | "webhook_dedupe_gap">): void {
  report(
    "Everything else is as it was then. Check users, clients, secrets, keys, blocks and consents that were changed or removed since.",
  );
  if (ended !== null) report("Programs need new API tokens, and users new recovery codes.");
  report(
    `Webhook events received from ${from ?? "the first one"} to ${to} are unknown now: if a provider retries one, it counts as new.`,
  );
  if (ended === null)
    report("Sessions and tokens were kept: codes and tokens that were used or revoked since can be used again.");
}
