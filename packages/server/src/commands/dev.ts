import { resolve } from "node:path";
import { Command } from "commander";
import { dev } from "../dev/dev.ts";
import { DATA_FOLDER, PORTS } from "../dev/environment.ts";
import { portNumber } from "./port-number.ts";

type Flags = { port: number; consolePort: number; folder: string; file: string };

/** `gatehouse dev`. */
export function devCommand(): Command {
  return new Command("dev")
    .summary("Run a server for the development of your product")
    .description(
      "Run a server and a console for the development of your product, on this machine alone, with data in a folder of their own.\n" +
        "Applies gatehouse.json at start and whenever it changes. A command after -- runs beside it. Ctrl-C stops both.\n" +
        "Settings come from these flags: files named .env belong to your product.",
    )
    .option("--port <port>", "where the server listens", portNumber, PORTS.port)
    .option("--console-port <port>", "where the console listens", portNumber, PORTS.consolePort)
    .option("--folder <folder>", "where the data is", DATA_FOLDER)
    .option("--file <file>", "the configuration", "gatehouse.json")
    .argument("[command...]", "your product's own command, after --")
    .action(async (command: string[], { folder, file, ...ports }: Flags) => {
      const project = process.cwd();
      process.exit(
        await dev({ ...ports, project, folder: resolve(project, folder), file: resolve(project, file), command }),
      );
    });
}
