import { describeAdmin, prepare } from "@gatehouse/installation";
import { Command } from "commander";
import { settings } from "../env.ts";
import { withOpen } from "../installation.ts";
import { describePreview, describeStatus } from "../migrations.ts";
import { print } from "../output.ts";

/** `gatehouse migrate`, `gatehouse migrate status`. Works whatever the database is sealed with. OP-64 */
export function migrateCommand(): Command {
  const command = new Command("migrate")
    .summary("Migrate the database to this version's schema")
    .description(
      "Migrate the database to this version's schema.\n" +
        "With --dry-run, show what that would do and change nothing; on SQLite it is tried on a copy beside the file.",
    )
    .option("--dry-run", "show each statement, the lock that it takes and the rows of its table")
    .option("--json", "print JSON")
    .action(async ({ dryRun = false, json = false }: { dryRun?: boolean; json?: boolean }) => {
      if (dryRun) {
        const preview = await withOpen(settings(), ({ database }) => database.previewMigrations());
        return json ? print(preview) : console.log(describePreview(preview));
      }
      const applied = await withOpen(settings(), ({ database }) => database.migrate());
      if (json) return print({ applied });
      return console.log(
        applied.length === 0
          ? "The database is up to date."
          : `Applied ${applied.join(", ")}. The database is up to date.`,
      );
    });

  command
    .command("status")
    .summary("Show which migrations were applied, and which are missing")
    .description(
      "Show which migrations were applied and when, and which are missing. Exits with 1 if some are, and with 78 if this version cannot use the database.",
    )
    .option("--json", "print JSON")
    .action(async (_: object, own: Command) => {
      const status = await withOpen(settings(), async ({ database }) => ({
        ...(await database.schema()),
        applied: await database.migrationHistory(),
      }));
      if (own.optsWithGlobals()["json"]) print(status);
      else console.log(describeStatus(status));
      if (status.missing.length > 0) process.exitCode = 1;
    });

  return command;
}

/** `gatehouse bootstrap`: what a server does to the database at its start. */
export function bootstrapCommand(): Command {
  return new Command("bootstrap")
    .summary("Prepare the database as a server does when it starts")
    .description(
      "Prepare the database as a server does when it starts: register the console, and create the first admin if there is none.\n" +
        "An empty database is migrated; an older one only with GATEHOUSE_MIGRATE=auto, the default on SQLite.",
    )
    .action(async () => {
      const announcement = describeAdmin(await withOpen(settings(), (installation) => prepare(installation)));
      if (announcement) console.log(announcement);
    });
}
