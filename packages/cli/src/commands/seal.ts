import { rewrapSealedValues } from "@gatehouse/installation";
import { Command } from "commander";
import { settings } from "../env.ts";
import { withInstallation } from "../installation.ts";
import { operator } from "../operator.ts";
import { print } from "../output.ts";
import { readSealStatus } from "../seal-status.ts";

/** `gatehouse seal status | rewrap`. OP-15. */
export function sealCommand(): Command {
  const command = new Command("seal").description("Change GATEHOUSE_SECRET without losing anything");

  command
    .command("status")
    .description("Show which secrets the database needs, by key id, and which ones the running servers use")
    .action(async () => print(await withInstallation(settings(), readSealStatus, { anySecret: true })));

  command
    .command("rewrap")
    .summary("Seal everything again with the current GATEHOUSE_SECRET")
    .description(
      "Seal everything again with the current GATEHOUSE_SECRET, while servers run. Then GATEHOUSE_SECRET_PREVIOUS is no\n" +
        "longer needed. Can be interrupted and run again.",
    )
    .action(async () => {
      const report = (table: string, values: number) => console.error(`${table}: ${values} sealed again`);
      const done = await withInstallation(settings(), (deps) => rewrapSealedValues(operator(), report, deps));
      print({
        key_id: done.keyId,
        rewrapped: done.rewrapped,
        unreadable: done.unreadable,
        released: done.released,
        next: "Remove GATEHOUSE_SECRET_PREVIOUS, and restart each server.",
      });
    });

  return command;
}
