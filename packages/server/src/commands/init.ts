import { join } from "node:path";
import { Command, InvalidArgumentError, Option } from "commander";
import { DATA_FOLDER, PORTS } from "../dev/environment.ts";
import { ask } from "../init/ask.ts";
import { init } from "../init/init.ts";
import { type ManagerName, PACKAGE_MANAGERS } from "../init/package-manager.ts";
import { packagesIn, publishedPackages } from "../init/packages.ts";
import { FRAMEWORKS, type Framework } from "../init/seen.ts";
import { undo } from "../init/undo.ts";
import { VERSION } from "../version.ts";
import { portNumber } from "./port-number.ts";

type Flags = {
  dryRun?: boolean;
  undo?: boolean;
  framework?: Framework;
  packageManager?: ManagerName;
  trpc?: string;
  appUrl?: string;
  port: number;
  consolePort: number;
  staging?: string;
  production?: string;
  scope: string[];
  packages?: string;
};

/** `gatehouse init`. */
export function initCommand(): Command {
  return new Command("init")
    .summary("Add sign-in to the product in this folder")
    .description(
      "Add sign-in to the product in this folder: writes what is missing, adds to what is there, installs the packages, and registers\n" +
        "a client for development. Exits with 2 if the project leaves something open, and with 3 if something is left to do by hand.",
    )
    .option("--dry-run", "print what would be written, and write nothing")
    .option("--undo", "restore every file as it was; what has changed since stays")
    .addOption(new Option("--framework <name>", "what your users sign in to").choices(FRAMEWORKS))
    .addOption(new Option("--package-manager <name>", "what installs your packages").choices(PACKAGE_MANAGERS))
    .option("--trpc <file>", "the file that calls initTRPC")
    .option("--app-url <url>", "where your product listens in development", origin)
    .option("--port <port>", "where the server of `gatehouse dev` listens", portNumber, PORTS.port)
    .option("--console-port <port>", "where its console listens", portNumber, PORTS.consolePort)
    .option("--staging <url>", "where it runs for staging", origin)
    .option("--production <url>", "where it runs for your users", origin)
    .option("--scope <scope>", "a scope of your API that it may request; repeat it for more", collect, [])
    .option("--packages <folder>", "install the packages from the tarballs in this folder")
    .action(async (flags: Flags) => {
      const project = process.cwd();
      const folder = join(project, DATA_FOLDER);
      if (flags.undo) return undoAndSay(project, folder);
      const { staging, production, scope: scopes, packages, dryRun = false, port, consolePort, ...said } = flags;
      const place = { port, consolePort, folder };
      const urls = { ...(staging && { staging }), ...(production && { production }) };
      const wanted = packages === undefined ? publishedPackages(VERSION) : packagesIn(packages);
      const { code, text } = await init({ ...said, project, place, urls, scopes, packages: wanted, dryRun }, ask);
      console.log(text);
      process.exitCode = code;
    });
}

function undoAndSay(project: string, folder: string): void {
  const { restored, left } = undo(project, folder);
  console.log(restored.length === 0 ? "Nothing to undo." : `Restored ${restored.join(", ")}.`);
  for (const path of left) console.error(`Left ${path}, which has changed since.`);
  if (left.length > 0) process.exitCode = 3;
}

const collect = (value: string, earlier: string[]) => [...earlier, value];

function origin(value: string): string {
  if (URL.canParse(value) && /^https?:/.test(value) && new URL(value).origin === value.replace(/\/$/, ""))
    return new URL(value).origin;
  throw new InvalidArgumentError("It must be an origin, like https://shop.example.com.");
}
