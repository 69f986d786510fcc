import { acceptSecret, findUnreadable, isSecretInForce, type Unreadable } from "@gatehouse/installation";
import { Command } from "commander";
import { settings } from "../env.ts";
import { withInstallation } from "../installation.ts";

/** `gatehouse secret status | accept-new`. Both run whatever the database is sealed with. */
export function secretCommand(): Command {
  const command = new Command("secret").description("manages GATEHOUSE_SECRET, with which the database is sealed");

  command
    .command("status")
    .description("says whether the database is sealed with the present GATEHOUSE_SECRET, and what cannot be decrypted")
    .action(async () => {
      const status = await withInstallation(
        settings(),
        async (deps) => ({ in_force: await isSecretInForce(deps), cannot_be_decrypted: inWords(await findUnreadable(deps)) }),
        { anySecret: true },
      );
      print(status);
    });

  command
    .command("accept-new")
    .description("goes on with the present GATEHOUSE_SECRET although the database is sealed with another; prints what is lost by that")
    .action(async () => {
      const { accepted, unreadable } = await withInstallation(settings(), acceptSecret, { anySecret: true });
      print({ accepted, cannot_be_decrypted: inWords(unreadable) });
    });

  return command;
}

function inWords({ signingKeys, webhookSecrets }: Unreadable) {
  return {
    signing_keys: { count: signingKeys.length, replaced: "at the next start", list: signingKeys },
    webhook_secrets: { count: webhookSecrets.length, replaced: "when they are given again", list: webhookSecrets },
  };
}

const print = (value: unknown) => console.log(JSON.stringify(value, null, 2));
