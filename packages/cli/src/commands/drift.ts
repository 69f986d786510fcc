import type { OperationDeps } from "@gatehouse/console/deps";
import { type Drift, type DriftPage, listDrift } from "@gatehouse/console/manifest/managed/drift";
import { Command } from "commander";
import { settings } from "../env.ts";
import { withInstallation } from "../installation.ts";
import { print } from "../output.ts";

/** `gatehouse drift`. */
export function driftCommand(): Command {
  return new Command("drift")
    .summary("Print what somebody changed about objects that a file manages")
    .description(
      "Print every field that is not what the applied file states: its value in the file, its live value, who changed it and when.\n" +
        "Needs no file: apply records what each file states. Apply the file again to undo the drift.",
    )
    .option("--check", "exit with 2 if there is any drift")
    .action(async ({ check = false }: { check?: boolean }) => {
      const drift = await withInstallation(settings(), everyPage);
      print(drift.map(viewOf));
      if (check && drift.length > 0) process.exitCode = 2;
    });
}

async function everyPage(deps: OperationDeps): Promise<Drift[]> {
  const found: Drift[] = [];
  let cursor: string | undefined;
  do {
    const page: DriftPage = await listDrift({ cursor }, deps);
    found.push(...page.drift);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return found;
}

const viewOf = ({ kind, name, environment, file, field, fileValue, liveValue, by }: Drift) => ({
  kind,
  name,
  ...(environment && { environment }),
  managed_by: file,
  ...(field === null ? { removed: true } : { field, file: fileValue, live: liveValue }),
  ...(by && { changed_by: by.name, changed_at: new Date(by.at * 1000).toISOString() }),
});
