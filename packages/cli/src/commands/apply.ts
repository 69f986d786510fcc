import { Command } from "commander";
import { apply } from "../apply/apply.ts";
import { readManifest } from "../apply/read-manifest.ts";
import { settings } from "../env.ts";
import { readInput } from "../input.ts";
import { withInstallation } from "../installation.ts";
import { print } from "../output.ts";

/** `gatehouse apply <file>`. */
export function applyCommand(): Command {
  return new Command("apply")
    .summary("Create and update users, applications, APIs and webhook providers from a file")
    .description(
      "Create and update users, applications, APIs and webhook providers from a JSON file.\n" +
        "Applying the same file again changes nothing. Prints what changed, and each generated secret once.",
    )
    .argument("<file>", "JSON file, or - for standard input")
    .action(async (file: string) => {
      const installation = settings();
      const manifest = readManifest(readInput(file), installation.config);
      print(await withInstallation(installation, (deps) => apply(manifest, deps), { create: true }));
    });
}
