import { checkDatabase } from "@gatehouse/db/inspect/check";
import { databaseSize } from "@gatehouse/db/inspect/size";
import { Command } from "commander";
import { settings } from "../env.ts";
import { print, report } from "../output.ts";

/** `gatehouse db size | check`. */
export function dbCommand(): Command {
  const command = new Command("db").description("Look at the database itself; servers can run meanwhile");

  command
    .command("size")
    .description("List how many bytes each table and its indexes take, largest first")
    .action(async () => {
      const { bytes, tables } = await databaseSize(settings().databaseUrl);
      print({ bytes, tables: tables.map(({ indexBytes, ...table }) => ({ ...table, index_bytes: indexBytes })) });
    });

  command
    .command("check")
    .summary("Read the whole database and look for damage")
    .description(
      "Read the whole database and look for damage: SQLite's integrity and foreign keys; on PostgreSQL every table\n" +
        "and index, with the extension amcheck. Changes nothing. Exits with 1 if something is damaged, and with 75 if\n" +
        "nothing is but not everything could be read.",
    )
    .action(async () => {
      report("Reading the database");
      const { databaseUrl, databaseDirectUrl } = settings();
      const found = await checkDatabase(databaseDirectUrl ?? databaseUrl);
      print(found);
      if (found.problems.length > 0) process.exitCode = 1;
      else if (found.unchecked.length > 0) process.exitCode = 75;
    });

  return command;
}
