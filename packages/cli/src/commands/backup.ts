import { randomBytes } from "node:crypto";
import { listBackups } from "@gatehouse/db/backup/list";
import { Command } from "commander";
import { BackupError, fileToBackUp, makeBackup, verifyBackup } from "../backup/backups.ts";
import { endAfterRestore, type Restored, restore } from "../backup/restore.ts";
import { drillBackup, scheduledBackup } from "../backup/scheduled.ts";
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
    .argument("[file]", "backup file (default: the newest in the backup folder)")
    .action(async (file?: string) =>
      print(await verifyBackup(file === undefined ? newest() : pathFromCaller(file), settings(), tools)),
    );

  backup
    .command("scheduled")
    .summary("What a daily timer runs: make a backup, delete old ones, and each week restore one aside")
    .description(
      "Make a backup, and delete those that GATEHOUSE_BACKUP_KEEP does not keep; never the last one that was verified.\n" +
        "Once a week the backup is restored aside, opened and checked. Run it daily, from a timer.",
    )
    .action(async () => {
      const current = settings();
      fileToBackUp(current);
      const done = await withInstallation(current, ({ db }) =>
        scheduledBackup({ ...current, keep: current.backupKeep }, db, tools),
      );
      print(done === "busy" ? { made: null, reason: "another process makes a backup now" } : done);
    });

  backup
    .command("drill")
    .description("Restore the newest backup aside, open and check it, and say how long that took")
    .action(async () => {
      const current = settings();
      fileToBackUp(current);
      print(await withInstallation(current, ({ db }) => drillBackup(newest(), current, db, tools)));
    });

  backup
    .command("list")
    .description("List the backups in a folder, oldest first")
    .argument("[folder]", "folder (default: the backup folder)")
    .action((folder?: string) => {
      fileToBackUp(settings());
      print(listBackups(folder === undefined ? settings().backupDir : pathFromCaller(folder)));
    });

  return backup;
}

function newest(): string {
  const { backupDir } = settings();
  const [last] = listBackups(backupDir).slice(-1);
  if (!last) throw new BackupError([`There is no backup in ${backupDir}.`]);
  return last.file;
}

/** `gatehouse restore <file>`. */
export function restoreCommand(): Command {
  return new Command("restore")
    .summary("Replace the SQLite database with a backup")
    .description(
      "Replace the SQLite database with a backup. Stop all servers first. The old database is kept next to it.\n" +
        "Every session, token, API token and recovery code of the backup ends, because some were used or revoked after it was made.",
    )
    .argument("<file>", "backup file")
    .option(
      "--keep-grants",
      "keep the backup's sessions, tokens and recovery codes, including those used or revoked since",
    )
    .action(async (file: string, { keepGrants = false }: { keepGrants?: boolean }) => {
      const restored = await restore(pathFromCaller(file), settings(), { keepGrants, ...tools });
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
