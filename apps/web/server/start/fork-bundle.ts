import { type ChildProcess, fork, type StdioOptions } from "node:child_process";
import { fileURLToPath } from "node:url";
import { inheritedVariables, type StartEnv } from "./env.ts";
import { tellOfReloads } from "./reload.ts";
import { handOver, secretsFromFiles } from "./secrets.ts";

/**
 * Starts a process of the server, which logs to the server's output, gets its secrets and is told of reloads.
 * @param file A bundle in the folder of the server's own.
 */
export function forkBundle(
  file: string,
  { settings }: Pick<StartEnv, "settings">,
  { args = [], execArgv = [] }: { args?: string[]; execArgv?: string[] },
): ChildProcess {
  const program = fileURLToPath(new URL(`./${file}`, import.meta.url));
  const stdio: StdioOptions = ["ignore", "inherit", "inherit", "ipc"];
  const child = fork(program, args, { env: inheritedVariables(), execArgv, stdio });
  handOver(child, () => secretsFromFiles(settings.source.variables));
  return tellOfReloads(child);
}
