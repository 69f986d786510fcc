import { acceptSecret } from "@gatehouse/installation";
import { Command } from "commander";
import { settings } from "../env.ts";
import { withInstallation } from "../installation.ts";
import { operator } from "../operator.ts";
import { print } from "../output.ts";
import { unreadableSummary } from "../seal-status.ts";

/** `gatehouse secret accept-new`. Works whatever the database is sealed with. */
export function secretCommand(): Command {
  const command = new Command("secret").description("Give up a GATEHOUSE_SECRET that is lost");

  command
    .command("accept-new")
    .summary("Continue with the current GATEHOUSE_SECRET although the database needs another one")
    .description(
      "Continue with the current GATEHOUSE_SECRET although the database needs another one, which is lost.\n" +
        "What was encrypted with the other secret is lost until you set the other secret again; the command lists it.\n" +
        "If you have both, use `gatehouse seal rewrap` instead: it loses nothing.",
    )
    .option(
      "--continue-audit-log",
      "also continue an audit log that ends under another secret; run gatehouse audit verify first",
    )
    .action(async (options: { continueAuditLog?: boolean }) => {
      const { accepted, unreadable } = await withInstallation(
        settings(),
        (deps) => acceptSecret(options, operator(), deps),
        {
          anySecret: true,
        },
      );
      print({ accepted, cannot_be_decrypted: unreadableSummary(unreadable) });
    });

  return command;
}
