import { describeAdmin, prepare } from "@gatehouse/installation";
import { Command } from "commander";
import { settings } from "../env.ts";
import { withOpen } from "../installation.ts";

/** `gatehouse migrate`. Works whatever the database is sealed with. */
export function migrateCommand(): Command {
  return new Command("migrate").description("Migrate the database to this version's schema").action(async () => {
    const applied = await withOpen(settings(), ({ database }) => database.migrate());
    console.log(
      applied.length === 0
        ? "The database is up to date."
        : `Applied ${applied.join(", ")}. The database is up to date.`,
    );
  });
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
