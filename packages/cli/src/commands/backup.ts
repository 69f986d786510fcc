import { randomBytes } from "node:crypto";
import { Command } from "commander";
import { BackupError, fileToBackUp, listBackups, makeBackup, verifyBackup } from "../backups.ts";
import { pathFromCaller, settings } from "../env.ts";
import { withInstallation } from "../installation.ts";
import { endAfterRestore, type Restored, restore } from "../restoring.ts";

const print = (value: unknown) => console.log(JSON.stringify(value, null, 2));
/** To stderr, so that standard output is JSON alone. */
const report = (step: string) => void process.stderr.write(`› ${step}\n`);
const tools = { random: randomBytes, now: () => new Date(), report };

/** `gatehouse backup [to] | verify | list`. */
export function backupCommand(): Command {
  const backup = new Command("backup").description("copies the SQLite database while servers run, and checks the copy; never the secret");

  backup
    .command("make", { isDefault: true })
    .description("makes a backup with a manifest beside it (what `gatehouse backup` does)")
    .argument("[to]", "a file, or a folder that exists; GATEHOUSE_BACKUP_DIR or <data folder>/backups without it")
    .action(async (to?: string) => print(await makeBackup(settings(), to === undefined ? undefined : pathFromCaller(to), tools)));

  backup
    .command("verify")
    .description("reads a whole backup and checks it against its manifest and GATEHOUSE_SECRET; exit code 1 when anything is wrong")
    .argument("[file]", "the newest of the backups' folder without it")
    .action(async (file?: string) => print(await verifyBackup(file === undefined ? newest() : pathFromCaller(file), settings(), tools)));

  backup
    .command("list")
    .description("every backup of a folder, oldest first")
    .argument("[folder]")
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
    .description(
      "puts a backup in the place of the SQLite database, keeps the old one, and ends every session and token; no server may run",
    )
    .argument("<file>")
    .option("--keep-grants", "sessions and tokens of the backup stay alive, also those that were used or revoked after it was made", false)
    .action(async (file: string, { keepGrants }: { keepGrants: boolean }) => {
      const restored = await restore(pathFromCaller(file), settings(), { keepGrants, ...tools });
      print(restored);
      warn(restored);
    });
}

/** `gatehouse restored`. */
export function restoredCommand(): Command {
  return new Command("restored")
    .description("run it once after PostgreSQL was restored to an earlier point in time: ends every session and token")
    .action(async () => {
      const restored = await withInstallation(settings(), endAfterRestore, { anySecret: true });
      print(restored);
      warn(restored);
    });
}

function warn({ ended, webhook_dedupe_gap: { from, to } }: Pick<Restored, "ended" | "webhook_dedupe_gap">): void {
  report("Everything else is as it was then: look at users, clients, secrets and blocks that were changed or ended since.");
  report(
    `Webhook events that came in between ${from ?? "the first one"} and ${to} are unknown now: a provider's retry of one counts as new.`,
  );
  if (ended === null) report("Sessions and tokens were kept: codes and refresh tokens that were used since can be used again.");
}
