import type { OperationDeps } from "@gatehouse/console/deps";
import { DomainError, type Problem } from "@gatehouse/console/domain-error";
import { exportUsers } from "@gatehouse/console/users/export/export";
import { type ImportOutcome, importUser } from "@gatehouse/console/users/import/import";
import { importedUser } from "@gatehouse/console/users/import/schemas";
import { Command, Option } from "commander";
import { settings } from "../env.ts";
import { InputError, parseInput } from "../input.ts";
import { withInstallation } from "../installation.ts";
import { operator } from "../operator.ts";
import { report } from "../output.ts";
import { readUsers, type UserLine } from "../users/read-users.ts";

/** What became of one line. */
type LineReport = { line: number; email?: string } & (
  | ImportOutcome
  | { status: "refused"; problems: readonly Problem[] }
);

/** `gatehouse users import`. UM-06. */
export function userImportCommand(): Command {
  return new Command("import")
    .description("Import users, with their password hashes, from JSON Lines or CSV")
    .argument("<file>", "the file, or - for standard input")
    .addOption(
      new Option("--format <format>", "default: csv for a file that ends in .csv, otherwise jsonl").choices([
        "csv",
        "jsonl",
      ]),
    )
    .option("--dry-run", "change nothing; only say what would happen")
    .action(async (file: string, { format, dryRun = false }: { format?: "csv" | "jsonl"; dryRun?: boolean }) => {
      const counts: Record<LineReport["status"], number> = { created: 0, updated: 0, unchanged: 0, refused: 0 };
      await withInstallation(
        settings(),
        async (deps) => {
          for await (const line of readUsers(file, format ?? (file.endsWith(".csv") ? "csv" : "jsonl"))) {
            const outcome = await importLine(line, dryRun, deps);
            counts[outcome.status] += 1;
            console.log(JSON.stringify(outcome));
          }
        },
        { create: !dryRun },
      );
      const summary = Object.entries(counts).map(([status, count]) => `${count} ${status}`);
      report(`${summary.join(", ")}${dryRun ? " (dry run: nothing was changed)" : ""}`);
      if (counts.refused > 0) process.exitCode = 1;
    });
}

async function importLine(read: UserLine, dryRun: boolean, deps: OperationDeps): Promise<LineReport> {
  const { line } = read;
  if ("problem" in read) return { line, status: "refused", problems: [{ path: "", message: read.problem }] };
  const email = typeof read.value === "object" && read.value !== null ? Reflect.get(read.value, "email") : undefined;
  const named = { line, ...(typeof email === "string" && { email }) };
  try {
    return {
      ...named,
      ...(await importUser(parseInput(importedUser, read.value), { dryRun, author: operator() }, deps)),
    };
  } catch (cause) {
    if (cause instanceof InputError || cause instanceof DomainError)
      return { ...named, status: "refused", problems: cause.problems };
    throw cause;
  }
}

/** `gatehouse users export`. UM-08. */
export function userExportCommand(): Command {
  return new Command("export")
    .description("Print all users as JSON Lines, in the form that import reads")
    .option("--with-hashes", "include password hashes; keep the output as secret as the database")
    .action(async ({ withHashes = false }: { withHashes?: boolean }) => {
      await withInstallation(settings(), async (deps) => {
        for await (const user of exportUsers({ hashes: withHashes }, operator(), deps))
          console.log(JSON.stringify(user));
      });
    });
}
