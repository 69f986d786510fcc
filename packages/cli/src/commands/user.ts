import { normaliseEmail } from "@gatehouse/accounts";
import { mintId, ROLES } from "@gatehouse/auth";
import { resetUserSecondFactors } from "@gatehouse/console/users/manage-users";
import { resetFactorsInput, userDraft } from "@gatehouse/console/users/schemas";
import { createUser } from "@gatehouse/console/users/users";
import { consoleLink } from "@gatehouse/installation";
import { Command, Option } from "commander";
import { settings } from "../env.ts";
import { InputError, parseInput } from "../input.ts";
import { withInstallation } from "../installation.ts";
import { operator } from "../operator.ts";
import { print } from "../output.ts";
import { tellOfShortPassword } from "../users/short-password.ts";
import { userExportCommand, userImportCommand } from "./user-transfer.ts";

type CreateOptions = { email: string; name: string; role: string; password?: string; adopt?: boolean };

/** `gatehouse user create`, `reset-second-factors`, `import`, `export`. */
export function userCommand(): Command {
  const user = new Command("user").alias("users").description("Manage users");

  user
    .command("create")
    .description("Create a user")
    .requiredOption("--email <email>", "email address to sign in with")
    .requiredOption("--name <name>", "display name")
    .addOption(new Option("--role <role>", "what the user may do in the console").choices(ROLES).default("user"))
    .option("--password <password>", "at least 10 characters (default: generated and printed once)")
    .option(
      "--adopt",
      "take over an account that somebody else created with this address and never verified; its data is deleted",
    )
    .action(async (options: CreateOptions) => {
      const create = { create: true };
      const installation = settings();
      await withInstallation(
        installation,
        async (deps) => {
          const password = options.password ?? mintId(deps.random);
          const draft = parseInput(userDraft, { ...options, password }, (field) => `--${field}`);
          const { id, email, name, role } = await createUser({ ...draft, author: operator() }, deps);
          tellOfShortPassword({ email, password }, deps);
          const console = consoleLink(installation.adminUrl, id);
          print({ id, email, name, role, console, ...(options.password === undefined ? { password } : {}) });
        },
        create,
      );
    });

  user
    .command("reset-second-factors")
    .description(
      "Remove a user's authenticator app, recovery codes and passkeys (without a password, only security keys), and end all sessions",
    )
    .argument("<email>", "email address of the user")
    .requiredOption("--reason <text>", "why; shown in the user's history")
    .action(async (email: string, { reason }: { reason: string }) => {
      const installation = settings();
      await withInstallation(installation, async (deps) => {
        const known = await deps.people.findAccountByEmail(normaliseEmail(email) ?? "");
        if (!known) throw new InputError([{ path: "", message: "there is no user with this email address" }]);
        const input = parseInput(resetFactorsInput, { id: known.id, reason }, (field) => `--${field}`);
        await resetUserSecondFactors(input, operator(), deps);
        print({
          id: known.id,
          email: known.email,
          second_factors: "removed",
          console: consoleLink(installation.adminUrl, known.id),
        });
      });
    });

  return user.addCommand(userImportCommand()).addCommand(userExportCommand());
}
