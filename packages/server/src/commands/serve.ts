import { Argument, Command } from "commander";
import { environment } from "../env.ts";
import { CONSOLE, type Program, SERVER, start } from "../processes/programs.ts";
import { askHealth } from "../processes/ready.ts";
import { memberOf, untilTheyEnd } from "../processes/together.ts";

// PK-16 OP-01: what an installation runs. Each command starts Node without a shell, so that signals arrive.

/** `gatehouse web`. */
export const webCommand = () => serving("web", "Run the server", [SERVER]);

/** `gatehouse admin`. */
export const adminCommand = () => serving("admin", "Run the console", [CONSOLE]);

/** `gatehouse all`. */
export const allCommand = () => serving("all", "Run the server and the console", [SERVER, CONSOLE]);

function serving(name: string, summary: string, programs: readonly Program[]): Command {
  return new Command(name)
    .summary(summary)
    .description(
      `${summary}, with the settings of the environment. SIGTERM and Ctrl-C stop it cleanly; SIGHUP has it read its ` +
        "certificate and log level again.",
    )
    .action(async () => {
      const members = programs.map((program) => memberOf(start(program, environment())));
      process.exit(await untilTheyEnd(members, { reloads: true }));
    });
}

/** `gatehouse health`. */
export const healthCommand = () =>
  new Command("health")
    .summary("Ask the server on this machine whether it runs")
    .description(
      "Ask the server at HOST and PORT (localhost:3000), or the console at HOST and ADMIN_PORT (localhost:3001), whether " +
        "it runs. Exits with 1 if it does not answer.",
    )
    .addArgument(new Argument("[program]", "which one").choices(["web", "admin"]).default("web"))
    .action(async (program: "web" | "admin") => {
      const { HOST, PORT, ADMIN_PORT } = environment();
      const port = program === "web" ? PORT || "3000" : ADMIN_PORT || "3001";
      await askHealth(`http://${reachable(HOST)}:${port}`);
    });

/** An address that reaches a program which listens on `host`. */
function reachable(host: string | undefined): string {
  if (!host) return "localhost";
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return host.includes(":") ? `[${host}]` : host;
}
