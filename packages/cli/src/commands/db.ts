import { checkDatabase } from "@gatehouse/db/inspect/check";
import { databaseSize } from "@gatehouse/db/inspect/size";
import type { KeptPartitions } from "@gatehouse/db/partitions/keep";
import {
  keepAll,
  type PartitionedSize,
  partitionTables,
  previewPartitions,
  sizePartitions,
} from "@gatehouse/db/partitions/run";
import { PARTITIONED_NAMES, type PartitionedName } from "@gatehouse/db/partitions/tables";
import { Argument, Command } from "commander";
import { settings } from "../env.ts";
import { isoTime, print, report } from "../output.ts";
import { describePartitionPlan } from "../partitions.ts";

/** `gatehouse db size | check | partition`. */
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
      const found = await checkDatabase(directUrl());
      print(found);
      if (found.problems.length > 0) process.exitCode = 1;
      else if (found.unchecked.length > 0) process.exitCode = 75;
    });

  command
    .command("partition")
    .addArgument(new Argument("[table...]", "by default all of them").choices(PARTITIONED_NAMES))
    .summary("Partition the large tables of PostgreSQL by time")
    .description(
      "Partition the large tables of PostgreSQL by time: dead rows then go with their\n" +
        "partition, instead of one by one. Servers go on meanwhile, and make and drop\n" +
        "partitions from then on. A run that was ended is continued by the next one.\n" +
        "Exits with 75 if a lock was in the way.",
    )
    .option("--dry-run", "show the statements, and why a table cannot be partitioned; change nothing")
    .option("--status", "list the partitions with their size")
    .option("--keep", "make the partitions that will be needed and drop the dead ones, as servers do")
    .action(partition);

  return command;
}

type PartitionOptions = { dryRun?: boolean; status?: boolean; keep?: boolean };

/** OP-35. */
async function partition(names: PartitionedName[], options: PartitionOptions): Promise<void> {
  const url = directUrl();
  const tables = names.length === 0 ? PARTITIONED_NAMES : names;
  if (options.status) return print({ tables: (await sizePartitions(url)).map(describeSizes) });
  if (options.keep) return printKept(await keepAll(url));
  if (options.dryRun) {
    const plans = await previewPartitions(url, tables);
    console.log(plans.map(describePartitionPlan).join("\n\n"));
    if (plans.some(({ obstacles }) => obstacles.length > 0)) process.exitCode = 1;
    return;
  }
  const { partitioned, kept } = await partitionTables(url, tables, report);
  printKept({ partitioned, ...kept });
}

function printKept(kept: KeptPartitions & { partitioned?: string[] }): void {
  print(kept);
  if (kept.unowned.length > 0) {
    report("This account does not own the tables. Set DATABASE_DIRECT_URL to the one that does.");
    process.exitCode = 1;
  } else if (kept.problems.length > 0) process.exitCode = 75;
}

const describeSizes = ({ table, partitions }: PartitionedSize) => ({
  table,
  partitions: partitions.map(({ from, to, ...one }) => ({ ...one, from: isoTime(from), to: isoTime(to) })),
});

/** The account that owns the tables, past a pooler, if there is such a URL. */
function directUrl(): string {
  const { databaseUrl, databaseDirectUrl } = settings();
  return databaseDirectUrl ?? databaseUrl;
}
