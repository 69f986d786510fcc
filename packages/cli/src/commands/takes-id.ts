import type { Command } from "commander";

/**
 * Adds the argument `<id>`. Ids from earlier versions can begin with `-`, which would otherwise make them unknown
 * options.
 */
export function takesId(command: Command, description: string): Command {
  return command
    .argument("<id>", description)
    .allowUnknownOption()
    .allowExcessArguments()
    .hook("preAction", rejectRest);
}

/**
 * Commander took everything that it did not recognize for an argument. The first is the id, unless it looks like an
 * option.
 */
function rejectRest(_parent: Command, command: Command): void {
  if (command.args.length <= 1) return;
  const option =
    command.args.find((arg) => /^--[a-z]/.test(arg)) ?? command.args.slice(1).find((arg) => arg.startsWith("-"));
  command.error(
    option === undefined ? "error: too many arguments: expected one id" : `error: unknown option '${option}'`,
  );
}
