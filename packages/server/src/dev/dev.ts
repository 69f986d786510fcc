import { existsSync } from "node:fs";
import { basename, relative } from "node:path";
import { COMMAND } from "@gatehouse/runtime/distribution";
import { environment } from "../env.ts";
import { CONSOLE, SERVER, start } from "../processes/programs.ts";
import { untilHealthy } from "../processes/ready.ts";
import { memberOf, untilTheyEnd } from "../processes/together.ts";
import { startBeside } from "./beside.ts";
import { productVariables } from "./client-secret.ts";
import { applyFile, followFile, type NewSecret } from "./configuration.ts";
import { consoleUrlOf, devEnvironment, issuerOf, type Place } from "./environment.ts";
import { prepareFolder } from "./folder.ts";
import { consoleAtFirstVisit } from "./lazy-console.ts";
import { requireFreePorts } from "./ports.ts";

/** `file`: the configuration, absolute. `command`: the product's own, which runs beside. */
export type Options = Place & { project: string; file: string; command: readonly string[] };

/**
 * Runs a server for the development of a product: data in a folder of its own, loopback only, the console from its
 * first visit on, and the configuration file applied now and whenever it changes. Returns the exit code. PK-18
 */
export async function dev({ project, file, command, ...place }: Options): Promise<number> {
  await requireFreePorts(place);
  prepareFolder(place.folder);
  const env = devEnvironment(place, environment());
  const server = start(SERVER, env);
  const console_ = await consoleAtFirstVisit(place.consolePort, (port) =>
    start(CONSOLE, { ...env, ADMIN_PORT: `${port}` }),
  );
  const members = [memberOf(server)];
  const ended = () => untilTheyEnd(members).finally(() => console_.close());
  try {
    await untilHealthy(issuerOf(place), server);
  } catch {
    return ended(); // the server has said why
  }
  let applied = Promise.resolve();
  // One after another: two at once could each refuse what the other has just changed.
  const applyNow = () => (applied = applied.then(() => applyAndSay(file, env, project)));
  const unfollow = followFile(file, () => void applyNow()); // first: a change while it is applied must count
  if (existsSync(file)) await applyNow();
  console.log(
    `\n  Gatehouse  ${issuerOf(place)}\n  Console    ${consoleUrlOf(place)}\n  Data       ${relative(project, place.folder)}\n`,
  );
  if (command.length > 0) members.push(startBeside(command, commandEnvironment(project)));
  return ended().finally(unfollow);
}

/** Next reads `.env.local` itself; programs without a framework do not. What the shell sets comes first. */
function commandEnvironment(project: string): Record<string, string | undefined> {
  const own = Object.entries(productVariables(project)).filter(([name]) => name.startsWith("GATEHOUSE_"));
  return { ...Object.fromEntries(own), ...environment() };
}

async function applyAndSay(
  file: string,
  env: Readonly<Record<string, string | undefined>>,
  project: string,
): Promise<void> {
  const name = basename(file);
  try {
    const { changed, secrets } = await applyFile(file, env, productVariables(project));
    if (changed) console.log(`› ${name} is applied.`);
    for (const made of secrets) console.log(`› ${wordsOf(made)}`);
  } catch (error) {
    console.error(`✖ ${name} is not applied:\n  ${error instanceof Error ? error.message : error}`);
  }
}

function wordsOf(made: NewSecret): string {
  const once = `has a new secret, shown only once: ${made.secret}`;
  if ("forwardingOf" in made) return `The forwarding of ${made.forwardingOf} ${once}\n  Give it to verifyWebhook.`;
  return `${made.clientId} ${once}\n  \`${COMMAND} init\` writes one to .env.local.`;
}
