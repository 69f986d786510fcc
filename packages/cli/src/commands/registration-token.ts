import {
  createRegistrationToken,
  listRegistrationTokens,
  revokeRegistrationToken,
} from "@gatehouse/console/registration-tokens/registration-tokens";
import { registrationTokenDraft } from "@gatehouse/console/registration-tokens/schemas";
import { Command } from "commander";
import { settings } from "../env.ts";
import { parseInput } from "../input.ts";
import { withInstallation } from "../installation.ts";
import { operator } from "../operator.ts";
import { print } from "../output.ts";
import { takesId } from "./takes-id.ts";

/** `gatehouse registration-token create | list | revoke`. */
export function registrationTokenCommand(): Command {
  const command = new Command("registration-token").description(
    "Manage the tokens that allow clients to register themselves",
  );

  command
    .command("create")
    .description("Create a registration token and print it once")
    .requiredOption("--name <name>", "who the token is for")
    .option("--uses <number>", "how many clients may register with it", "1")
    .option("--days <number>", "how many days it is valid", "7")
    .action(async ({ name, uses, days }: { name: string; uses: string; days: string }) => {
      const draft = parseInput(registrationTokenDraft, {
        name,
        uses: Number(uses),
        expiresInSeconds: Number(days) * 86_400,
      });
      const { token, view } = await withInstallation(settings(), (deps) =>
        createRegistrationToken(draft, operator(), deps),
      );
      print({ ...view, token });
    });

  command
    .command("list")
    .description("List the registration tokens, without the tokens themselves")
    .action(async () => print(await withInstallation(settings(), (deps) => listRegistrationTokens(deps))));

  takesId(
    command.command("revoke").description("Revoke a registration token"),
    "id of the token, from `registration-token list`",
  ).action(async (id: string) => {
    await withInstallation(settings(), (deps) => revokeRegistrationToken(id, operator(), deps));
    print({ revoked: id });
  });

  return command;
}
