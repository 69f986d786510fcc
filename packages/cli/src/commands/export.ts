import { exportConfiguration } from "@gatehouse/console/manifest/export/export";
import { Command } from "commander";
import { settings } from "../env.ts";
import { withInstallation } from "../installation.ts";

/** `gatehouse export`. */
export function exportCommand(): Command {
  return new Command("export")
    .summary("Print applications, APIs, webhook endpoints and sign-in providers as a file for apply")
    .description(
      "Print applications, APIs, webhook endpoints and sign-in providers as a JSON file for `gatehouse apply`.\n" +
        "In place of each secret it names an environment variable. Users are not part of it: see `gatehouse users export`.",
    )
    .action(async () => {
      process.stdout.write(await withInstallation(settings(), exportConfiguration));
    });
}
