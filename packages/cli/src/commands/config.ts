import { existsSync, readFileSync } from "node:fs";
import { styleText } from "node:util";
import {
  databasePlace,
  describeUnknown,
  type SettingOrigin,
  type Settings,
  settingOrigins,
  unknownVariables,
} from "@gatehouse/installation";
import { parseEnv } from "@gatehouse/runtime/env-file";
import { Command } from "commander";
import { envFile, environment, settings, settingsOfNew, variables } from "../env.ts";
import { withOpen } from "../installation.ts";
import { print } from "../output.ts";

/** The exit code for wrong configuration (sysexits.h). */
const CONFIGURATION = 78;

/** `gatehouse config`, `gatehouse config check`. OP-11, OP-13 */
export function configCommand(): Command {
  const command = new Command("config")
    .summary("Show every setting and where its value comes from")
    .description(
      "Show every setting with its value and where that comes from: the environment, a file, the console or the default.\n" +
        "Secrets are not shown, and URLs have no password.",
    )
    .option("--json", "print JSON")
    .action(async ({ json = false }: { json?: boolean }) => {
      const groups = settingOrigins({ variables: environment(), envFile: readEnvFile(), ...(await inForce()) });
      if (json) print(groups.flatMap((group) => group.settings));
      else console.log(groups.map(describeGroup).join("\n\n"));
    });

  command
    .command("check")
    .summary("Check the settings as a start would")
    .description(
      `Check the settings as a start would, and warn of variables that are no setting. Exits with ${CONFIGURATION} if a value is wrong.`,
    )
    .option("--strict", "exit with 78 for unknown variables too")
    .option("--json", "print JSON")
    .action(({ strict = false }: { strict?: boolean }, own: Command) => {
      const unknown = unknownVariables(environment());
      for (const one of unknown) console.error(describeUnknown(one));
      settings();
      const valid = !strict || unknown.length === 0;
      if (!valid) process.exitCode = CONFIGURATION;
      if (own.optsWithGlobals()["json"]) print({ valid, unknown: unknown.map(({ variable }) => variable) });
      else if (valid) console.log("The settings are valid.");
    });

  return command;
}

function readEnvFile() {
  const path = envFile();
  return path === undefined ? undefined : { path, values: parseEnv(readFileSync(path, "utf8")) };
}

type InForce = { saved: ReadonlySet<string>; inForce: Settings | undefined };

/** The settings, with what admins saved in the console if there is a database that has it. */
async function inForce(): Promise<InForce> {
  const nothingSaved = new Set<string>();
  try {
    const { url } = databasePlace(variables(), process.cwd());
    const isNew = url.startsWith("file:") && !existsSync(url.slice("file:".length));
    if (isNew) return { saved: nothingSaved, inForce: settingsOfNew() };
    return await withOpen(settings(), async ({ settings: live }) => {
      await live.load();
      const saved = live.list().filter(({ source }) => source === "console");
      return { saved: new Set(saved.map(({ variable }) => variable)), inForce: live.current };
    });
  } catch (error) {
    console.error(`Without what is saved in the console: ${error instanceof Error ? error.message : String(error)}`);
    return { saved: nothingSaved, inForce: undefined };
  }
}

function describeGroup({ title, settings: rows }: { title: string; settings: readonly SettingOrigin[] }): string {
  const widthOf = (column: "variable" | "origin") => Math.max(...rows.map((row) => row[column].length));
  const [variableWidth, originWidth] = [widthOf("variable"), widthOf("origin")];
  const lines = rows.map(({ variable, value, origin }) => {
    const line = `  ${variable.padEnd(variableWidth)}  ${origin.padEnd(originWidth)}  ${value}`;
    return origin === "default" ? styleText("dim", line) : line;
  });
  return [styleText("bold", title), ...lines].join("\n");
}
