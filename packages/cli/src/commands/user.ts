import { mintId, ROLES } from "@gatehouse/auth";
import { createUser } from "@gatehouse/operations";
import { userDraft } from "@gatehouse/operations/schemas";
import { Command, Option } from "commander";
import { settings } from "../env.ts";
import { parseInput } from "../input.ts";
import { withInstallation } from "../installation.ts";
import { print } from "../output.ts";

type CreateOptions = { email: string; name: string; role: string; password?: string; adopt?: boolean };

/** `gatehouse user create`. */
export function userCommand(): Command {
  const user = new Command("user").description("Manage users");

  user
    .command("create")
    .description("Create a user")
    .requiredOption("--email <email>", "email address to sign in with")
    .requiredOption("--name <name>", "display name")
    .addOption(new Option("--role <role>", "what the user may do in the console").choices(ROLES).default("user"))
    .option("--password <password>", "at least 10 characters (default: generated and printed once)")
    .option("--adopt", "take over an account that somebody else created with this address and never verified; its data is deleted")
    .action(async (options: CreateOptions) => {
      const create = { create: true };
      await withInstallation(
        settings(),
        async (deps) => {
          const password = options.password ?? mintId(deps.random);
          const draft = parseInput(userDraft, { ...options, password }, (field) => `--${field}`);
          const { id, email, name, role } = await createUser(draft, deps);
          print({ id, email, name, role, ...(options.password === undefined ? { password } : {}) });
        },
        create,
      );
    });

  return user;
}
