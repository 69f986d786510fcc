import { acceptSecret, findUnreadable, isSecretInForce, type Unreadable } from "@gatehouse/installation";
import { Command } from "commander";
import { settings } from "../env.ts";
import { withInstallation } from "../installation.ts";
import { operator } from "../operator.ts";
import { print } from "../output.ts";

/** `gatehouse secret status | accept-new`. Both work whatever the database is sealed with. */
export function secretCommand(): Command {
  const command = new Command("secret").description(
    "Check or change the GATEHOUSE_SECRET that encrypts the database's secrets",
  );

  command
    .command("status")
    .description("Show whether the current GATEHOUSE_SECRET matches the database, and what it cannot decrypt")
    .action(async () => {
      const status = await withInstallation(
        settings(),
        async (deps) => ({
          in_force: await isSecretInForce(deps),
          cannot_be_decrypted: summaryOf(await findUnreadable(deps)),
        }),
        { anySecret: true },
      );
      print(status);
    });

  command
    .command("accept-new")
    .summary("Continue with the current GATEHOUSE_SECRET although the database was encrypted with another")
    .description(
      "Continue with the current GATEHOUSE_SECRET although the database was encrypted with another.\n" +
        "What was encrypted with the other secret is lost until you set the other secret again; the command lists it.",
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
      print({ accepted, cannot_be_decrypted: summaryOf(unreadable) });
    });

  return command;
}

function summaryOf({ signingKeys, webhookSecrets }: Unreadable) {
  return {
    signing_keys: { count: signingKeys.length, replaced: "at the next start", list: signingKeys },
    webhook_secrets: { count: webhookSecrets.length, replaced: "when you enter them again", list: webhookSecrets },
  };
}
