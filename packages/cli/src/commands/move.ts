import { FOLLOW_MAINTENANCE_MS } from "@gatehouse/installation";
import { migrations, schemas } from "@gatehouse/product";
import { Command } from "commander";
import { settings } from "../env.ts";
import { withOpen } from "../installation.ts";
import { move, undoMove } from "../move/move.ts";
import { print } from "../output.ts";

const EVERY_ROWS = 100_000;

type Options = { to: string; dryRun?: boolean; undo?: boolean; leave?: string[] };

/** `gatehouse move`. OP-55. */
export function moveCommand(): Command {
  return new Command("move")
    .summary("Move the installation to another database: SQLite to PostgreSQL, or back")
    .description(
      "Move the installation to another database, which is empty: SQLite to PostgreSQL, or back.\n" +
        "Servers go on reading meanwhile and answer writes with 503. Afterwards this database starts no server any more:\n" +
        "set DATABASE_URL to the new one, keep GATEHOUSE_SECRET, and restart each server and the console.",
    )
    .requiredOption("--to <url>", "the new database: postgres://… or file:…")
    .option("--dry-run", "only check the new database and count rows")
    .option("--leave <tables...>", "tables that are no part of the installation, and stay behind")
    .option("--undo", "take a move to that database back, as long as nobody has used it")
    .action(async ({ to, dryRun = false, undo = false, leave = [] }: Options) => {
      const current = settings();
      await withOpen(current, async ({ database, deps }) => {
        const source = { database, url: current.databaseUrl, deps, product: { migrations, schemas } };
        const options = { dryRun, settleMs: FOLLOW_MAINTENANCE_MS * 1.5, report: progress, leave };
        print(undo ? await undoMove(source, to, progress) : await move(source, to, options));
      });
    });
}

/** A line for each 100,000 rows. */
function progress(table: string, rows: number, step: string): void {
  if (rows % EVERY_ROWS === 0) console.error(`${table}: ${rows} rows ${step}`);
}
