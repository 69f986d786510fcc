import { readFileSync } from "node:fs";
import { mintId, ROLES, SIGNING_ALGORITHMS, type SigningAlgorithm } from "@gatehouse/auth";
import { DatabaseInUseError, SchemaError } from "@gatehouse/db";
import { AnotherSecretError, consoleClientSecret, consoleCookieKey, describeAdmin, prepare } from "@gatehouse/installation";
import { createRegistrationToken, createUser, DomainError, listRegistrationTokens, revokeRegistrationToken } from "@gatehouse/operations";
import { registrationTokenDraft, userDraft } from "@gatehouse/operations/schemas";
import { scopes } from "@gatehouse/product";
import { Command, Option } from "commander";
import { apply } from "./apply.ts";
import { BackupError } from "./backups.ts";
import { backupCommand, restoreCommand, restoredCommand } from "./commands/backup.ts";
import { clientCommand } from "./commands/client.ts";
import { secretCommand } from "./commands/secret.ts";
import { webhookSecretCommand } from "./commands/webhook-secret.ts";
import { whyCommand } from "./commands/why.ts";
import { choosePlace, pathFromCaller, settings } from "./env.ts";
import { withInstallation, withOpen } from "./installation.ts";
import { listKeys, rotateKeys } from "./keys.ts";
import { ManifestError, readManifest } from "./problems.ts";

const print = (value: unknown) => console.log(JSON.stringify(value, null, 2));

function readSource(file: string): string {
  if (file === "-") return readFileSync(0, "utf8");
  const path = pathFromCaller(file);
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : cause;
    throw new ManifestError([{ path: "", message: `cannot read ${path} (${code})` }]);
  }
}

/** Everything that may be wrong with what was typed or configured is one line each on stderr, never a stack. */
function explain(error: unknown): string {
  if (error instanceof ManifestError || (error instanceof DomainError && error.problems.length > 0)) {
    return error.problems.map(({ path, message }) => (path ? `  ${path}: ${message}` : `  ${message}`)).join("\n");
  }
  return `  ${error instanceof Error ? error.message : String(error)}`;
}

const program = new Command("gatehouse")
  .description("Administers a Gatehouse installation. Needs no running server.")
  .option("--create", "make the database where neither GATEHOUSE_DATA_DIR nor DATABASE_URL names one, without asking", false)
  .hook("preAction", () => choosePlace(program.opts<{ create: boolean }>().create));

program
  .command("apply")
  .description("registers users, applications and webhook providers as a JSON file says; twice is the same as once")
  .argument("<file>", "the file, or - for standard input")
  .action(async (file: string) => {
    const manifest = readManifest(readSource(file), { scopes });
    print(await withInstallation(settings(), (deps) => apply(manifest, deps), { create: true }));
  });

program
  .command("user")
  .description("manages people")
  .command("create")
  .requiredOption("--email <email>")
  .requiredOption("--name <name>")
  .addOption(new Option("--role <role>").choices(ROLES).default("user"))
  .option("--password <password>", "at least 10 characters; generated and printed once when left out")
  .option("--adopt", "takes over, emptied, the account of somebody who signed up with this address and never verified it")
  .action(async (options: { email: string; name: string; role: string; password?: string; adopt?: boolean }) => {
    await withInstallation(
      settings(),
      async (deps) => {
        const password = options.password ?? mintId(deps.random);
        const draft = userDraft.safeParse({ ...options, password });
        if (!draft.success)
          throw new ManifestError(draft.error.issues.map(({ path, message }) => ({ path: `--${path.join(".")}`, message })));
        const { id, email, name, role } = await createUser(draft.data, deps);
        print({ id, email, name, role, ...(options.password === undefined ? { password } : {}) });
      },
      { create: true },
    );
  });

const keys = program.command("keys").description("manages the keys that tokens are signed with");

keys
  .command("list")
  .description("every key that is published, and what for")
  .action(async () => print(await withInstallation(settings(), listKeys)));

keys
  .command("rotate")
  .description("publishes the next key; it signs from a day later, when every cached copy of the key set has it")
  .addOption(new Option("--algorithm <algorithm>", "only this one; all without it").choices(SIGNING_ALGORITHMS))
  .option("--now", "the new key signs at once; the one before it still counts")
  .option("--distrust", "for a private key that others may know: the new key signs at once, and nothing signed before counts any more")
  .action(async ({ algorithm, now = false, distrust = false }: { algorithm?: SigningAlgorithm; now?: boolean; distrust?: boolean }) => {
    const algorithms = algorithm === undefined ? SIGNING_ALGORITHMS : [algorithm];
    print(await withInstallation(settings(), (deps) => rotateKeys({ algorithms, now, distrust }, deps)));
  });

const registrationToken = program.command("registration-token").description("manages the tokens with which clients register themselves");

registrationToken
  .command("create")
  .requiredOption("--name <name>", "who gets it")
  .option("--uses <number>", "how many clients it may register", "1")
  .option("--days <number>", "how long it is good", "7")
  .action(async ({ name, uses, days }: { name: string; uses: string; days: string }) => {
    const draft = registrationTokenDraft.safeParse({ name, uses: Number(uses), expiresInSeconds: Number(days) * 86_400 });
    if (!draft.success) throw new ManifestError(draft.error.issues.map(({ path, message }) => ({ path: path.join("."), message })));
    const { token, view } = await withInstallation(settings(), (deps) => createRegistrationToken(draft.data, deps));
    print({ ...view, token });
  });

registrationToken.command("list").action(async () => print(await withInstallation(settings(), (deps) => listRegistrationTokens(deps))));

registrationToken
  .command("revoke")
  .argument("<id>")
  .action(async (id: string) => {
    await withInstallation(settings(), (deps) => revokeRegistrationToken(id, deps));
    print({ revoked: id });
  });

program.addCommand(secretCommand());
program.addCommand(webhookSecretCommand());
program.addCommand(backupCommand());
program.addCommand(restoreCommand());
program.addCommand(restoredCommand());
program.addCommand(clientCommand());
program.addCommand(whyCommand());

program
  .command("console-keys")
  .description("prints what a console on another machine needs, so that GATEHOUSE_SECRET never goes there")
  .action(() => {
    const { config, adminUrl, secret } = settings();
    console.log(`GATEHOUSE_ISSUER=${config.issuer}
GATEHOUSE_ADMIN_URL=${adminUrl}
GATEHOUSE_CONSOLE_CLIENT_SECRET=${consoleClientSecret(secret)}
GATEHOUSE_CONSOLE_COOKIE_KEY=${consoleCookieKey(secret)}`);
  });

program
  .command("migrate")
  .description("brings the database up to date")
  .action(async () => {
    const applied = await withOpen(settings(), ({ database }) => database.migrate());
    console.log(applied.length === 0 ? "The database is up to date." : `Applied ${applied.join(", ")}. The database is up to date.`);
  });

program
  .command("bootstrap")
  .description(
    "sets up the console, and makes the first admin where there is none; migrates the database if it is empty or GATEHOUSE_MIGRATE=auto",
  )
  .action(async () => {
    const announcement = describeAdmin(await withOpen(settings(), (installation) => prepare(installation)));
    if (announcement) console.log(announcement);
  });

/** What was asked for, without its arguments: "user create". */
function commandName(): string {
  const [first = "", second = ""] = program.args;
  const isGroup = program.commands.some((command) => command.name() === first && command.commands.length > 0);
  return isGroup ? `${first} ${second}`.trim() : first;
}

/** 1, unless the error knows better: 2 usage, 75 try again, 78 configuration. */
function exitCodeOf(error: unknown): number {
  for (const kind of [AnotherSecretError, SchemaError, DatabaseInUseError, BackupError]) if (error instanceof kind) return error.exitCode;
  return 1;
}

program.parseAsync().catch((error: unknown) => {
  console.error(`gatehouse ${commandName()} failed${error instanceof ManifestError ? "; nothing was changed" : ""}:\n${explain(error)}`);
  process.exitCode = exitCodeOf(error);
});
