import { get } from "node:http";
import { Command } from "commander";
import { environment } from "../env.ts";
import { CONSOLE, type Program, SERVER, start } from "../processes/programs.ts";
import { untilTheyEnd } from "../processes/together.ts";

// PK-16: what an installation runs. Each command starts Node without a shell, so that signals arrive.

/** `gatehouse web`. */
export const webCommand = () => serving("web", "Run the server", [SERVER]);

/** `gatehouse admin`. */
export const adminCommand = () => serving("admin", "Run the console", [CONSOLE]);

/** `gatehouse all`. */
export const allCommand = () => serving("all", "Run the server and the console", [SERVER, CONSOLE]);

function serving(name: string, summary: string, programs: readonly Program[]): Command {
  return new Command(name)
    .summary(summary)
    .description(`${summary}, with the settings of the environment. SIGTERM and Ctrl-C stop it cleanly.`)
    .action(async () => process.exit(await untilTheyEnd(programs.map((program) => start(program, environment())))));
}

const ANSWER_WITHIN_MS = 3000;

/** `gatehouse health`. */
export const healthCommand = () =>
  new Command("health")
    .summary("Ask the server on this machine whether it runs")
    .description(
      "Ask the server at HOST and PORT (localhost:3000) whether it runs. Exits with 1 if it does not answer.",
    )
    .action(async () => {
      const { HOST, PORT } = environment();
      await isHealthy(`http://${HOST || "localhost"}:${PORT || "3000"}/healthz`);
    });

/** Throws an error that names the URL unless it answers 200 in time. */
function isHealthy(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (problem: string) => reject(new Error(`${url}: ${problem}`));
    const request = get(url, { agent: false, timeout: ANSWER_WITHIN_MS }, ({ statusCode }) => {
      if (statusCode === 200) resolve();
      else fail(`answered ${statusCode}`);
      request.destroy();
    });
    request.on("timeout", () => request.destroy(new Error(`no answer within ${ANSWER_WITHIN_MS / 1000} s`)));
    request.on("error", ({ message }) => fail(message));
  });
}
