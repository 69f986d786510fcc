import { findStoreUnavailable } from "@gatehouse/auth";
import { DomainError } from "@gatehouse/console/domain-error";
import { ManifestError } from "@gatehouse/console/manifest/file/manifest-error";
import { exitCodeOf } from "@gatehouse/runtime";
import { Command, CommanderError, Option } from "commander";
import { applyCommand, planCommand } from "./commands/apply.ts";
import { auditCommand } from "./commands/audit.ts";
import { backupCommand, restoreCommand, restoredCommand } from "./commands/backup.ts";
import { clientCommand } from "./commands/client.ts";
import { configCommand } from "./commands/config.ts";
import { consoleKeysCommand } from "./commands/console-keys.ts";
import { dbCommand } from "./commands/db.ts";
import { doctorCommand } from "./commands/doctor.ts";
import { driftCommand } from "./commands/drift.ts";
import { exportCommand } from "./commands/export.ts";
import { jobsCommand } from "./commands/jobs.ts";
import { keysCommand } from "./commands/keys.ts";
import { maintenanceCommand } from "./commands/maintenance.ts";
import { bootstrapCommand, migrateCommand } from "./commands/migrate.ts";
import { moveCommand } from "./commands/move.ts";
import { registrationTokenCommand } from "./commands/registration-token.ts";
import { sealCommand } from "./commands/seal.ts";
import { secretCommand } from "./commands/secret.ts";
import { statusCommand } from "./commands/status.ts";
import { tailCommand } from "./commands/tail.ts";
import { triggerCommand } from "./commands/trigger.ts";
import { userCommand } from "./commands/user.ts";
import { webhookEndpointCommand } from "./commands/webhook-endpoint.ts";
import { webhookSecretCommand } from "./commands/webhook-secret.ts";
import { whyCommand } from "./commands/why.ts";
import { chooseDatabase, loadEnvironment } from "./env.ts";
import { InputError } from "./input.ts";

/** Further commands, which read no settings before they run, with their heading in the help. */
export type CommandGroup = { title: string; commands: readonly Command[] };

/** The exit code for a command line that does not fit. */
const USAGE = 2;
/** EX_TEMPFAIL of sysexits.h. */
const TRY_AGAIN = 75;

/** Runs one command, named and parameterized by `args`. Sets the exit code of the process. */
export async function gatehouse(args: readonly string[], further: readonly CommandGroup[] = []): Promise<void> {
  const ofOthers = new Set(further.flatMap(({ commands }) => commands));
  const program = throwing(acceptingJson(everyCommand(further), ofOthers));
  try {
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    process.exitCode = findStoreUnavailable(error) ? TRY_AGAIN : exitCodeOf(error); // 78: configuration
    if (error instanceof CommanderError) {
      if (error.exitCode !== 0) process.exitCode = USAGE;
      return; // it has printed the help, or what is wrong
    }
    console.error(
      `gatehouse ${nameOf(program)} failed${isRefusedInput(error) ? "; nothing was changed" : ""}:\n${describe(error)}`,
    );
  }
}

/** Makes the command and those below it throw, where Commander would end the process. */
function throwing(command: Command): Command {
  command.commands.forEach(throwing);
  return command.exitOverride();
}

/** They print text, for people or for a shell. */
const WITHOUT_JSON = new Set(["bootstrap", "console-keys"]);

/** Most commands print JSON anyway. They accept the option of those that do not, so that a script can pass it to all. */
function acceptingJson(command: Command, except: ReadonlySet<Command>): Command {
  for (const one of command.commands) if (!except.has(one)) acceptingJson(one, except);
  const hasIt = command.options.some(({ long }) => long === "--json");
  if (command.commands.length === 0 && !hasIt && !WITHOUT_JSON.has(command.name()))
    command.addOption(new Option("--json", "print JSON").hideHelp());
  return command;
}

function everyCommand(further: readonly CommandGroup[]): Command {
  const program = new Command("gatehouse");
  for (const { title, commands } of further) {
    program.commandsGroup(title);
    for (const command of commands) program.addCommand(command);
  }
  return program
    .description("Manage a Gatehouse installation from the command line. The server does not have to run.")
    .option(
      "--create",
      "create the default database without asking, if neither GATEHOUSE_DATA_DIR nor DATABASE_URL is set",
    )
    .hook("preAction", (command, action) => {
      if (further.some(({ commands }) => commands.includes(action))) return undefined;
      return needsDatabase(action)
        ? chooseDatabase(command.opts<{ create?: boolean }>().create ?? false)
        : loadEnvironment();
    })
    .commandsGroup("Manage:")
    .addCommand(planCommand())
    .addCommand(applyCommand())
    .addCommand(driftCommand())
    .addCommand(exportCommand())
    .addCommand(userCommand())
    .addCommand(clientCommand())
    .addCommand(registrationTokenCommand())
    .addCommand(webhookEndpointCommand())
    .addCommand(webhookSecretCommand())
    .commandsGroup("Troubleshoot:")
    .addCommand(statusCommand())
    .addCommand(whyCommand())
    .addCommand(auditCommand())
    .addCommand(doctorCommand())
    .addCommand(configCommand())
    .addCommand(jobsCommand())
    .addCommand(tailCommand())
    .addCommand(triggerCommand())
    .commandsGroup("Keys and secrets:")
    .addCommand(keysCommand())
    .addCommand(sealCommand())
    .addCommand(secretCommand())
    .addCommand(consoleKeysCommand())
    .commandsGroup("Database:")
    .addCommand(migrateCommand())
    .addCommand(bootstrapCommand())
    .addCommand(backupCommand())
    .addCommand(restoreCommand())
    .addCommand(restoredCommand())
    .addCommand(dbCommand())
    .addCommand(moveCommand())
    .addCommand(maintenanceCommand())
    .commandsGroup("Help:")
    .helpCommand("help [command]", "Show help for a command")
    .helpOption("-h, --help", "show help")
    .addHelpText(
      "after",
      `
Examples:
  $ gatehouse apply gatehouse.json
  $ gatehouse apply gatehouse.json --issuer https://id.example.com --environment production
  $ gatehouse user create --email ada@example.com --name Ada --role developer
  $ gatehouse why 7K3M9Q2XTV

Results are JSON on standard output; everything else is on standard error.`,
    );
}

const isRefusedInput = (error: unknown) => error instanceof InputError || error instanceof ManifestError;

const WITHOUT_DATABASE = new Set(["tail", "trigger", "config", "config check"]);

/** Whether the command works on a database. The others talk to a running server, or read settings alone. */
function needsDatabase(action: Command): boolean {
  if (action.opts<{ issuer?: string }>().issuer !== undefined) return false;
  if (action.name() === "doctor") return action.args.length === 0;
  const group = action.parent?.parent ? `${action.parent.name()} ` : "";
  return !WITHOUT_DATABASE.has(group + action.name());
}

/** The command that was called, without its arguments: "user create". */
function nameOf(program: Command): string {
  const [first = "", second = ""] = program.args;
  const isGroup = program.commands.some((command) => command.name() === first && command.commands.length > 0);
  return isGroup ? `${first} ${second}`.trim() : first;
}

/** One line for each problem with what was typed or configured; never a stack. */
function describe(error: unknown): string {
  if (error instanceof InputError || (error instanceof DomainError && error.problems.length > 0)) {
    return error.problems.map(({ path, message }) => (path ? `  ${path}: ${message}` : `  ${message}`)).join("\n");
  }
  // The error around it has the statement and its values
  const shown = findStoreUnavailable(error) ?? error;
  return `  ${shown instanceof Error ? shown.message : String(shown)}`;
}
