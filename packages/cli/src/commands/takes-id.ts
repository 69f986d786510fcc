import type { Command } from "commander";

/** Adds the argument `<id>`. Ids from earlier versions can begin with `-`, which would otherwise make them unknown options. */
export function takesId(command: Command, description: string): Command {
  return command.argument("<id>", description).allowUnknownOption();
}
