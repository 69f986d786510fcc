import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  environmentFile,
  type QuickStartClient,
  type QuickStartName,
  type QuickStartValues,
  quickStartValues,
  renderQuickStart,
} from "@gatehouse/ui/quick-starts";
import { ROOT } from "./gatehouse.ts";
import { launch, type Running } from "./processes.ts";

// Runs quick starts as the console shows them: the same files, the same command. Libraries come from the workspace, the
// SDK as sources, which tsx compiles in Node.

/** Below the package whose dependencies they use. */
const FOLDER = join(ROOT, "packages/ui/.quick-starts");
const TSX = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;

/** Writes a quick start's files for a client as it is registered, and starts it. Stopping it deletes the files. */
export async function startQuickStart(
  name: QuickStartName,
  client: QuickStartClient,
  server: Pick<QuickStartValues, "issuer" | "resource">,
  secret?: string,
): Promise<Running> {
  const values = quickStartValues(name, client, server);
  if (values === undefined) throw new Error(`${client.clientId} has no redirect URI for ${name}`);
  const { files, run } = renderQuickStart(name, values);
  const secrets = environmentFile(name, values, secret);
  await mkdir(FOLDER, { recursive: true });
  const folder = await mkdtemp(join(FOLDER, `${name}-`));
  for (const { path, text } of secrets === undefined ? files : [...files, secrets]) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const env = { NEXT_TELEMETRY_DISABLED: "1", ...(name === "express" && { NODE_OPTIONS: `--import ${TSX}` }) };
  const program = launch("sh", ["-c", run], { cwd: folder, env });
  const clear = () => rm(folder, { recursive: true, force: true, maxRetries: 5 });
  return { ...program, stop: () => program.stop().then(clear), crash: () => program.crash().then(clear) };
}

/** The first group of `pattern` in what the program prints; rejects when it ends without a match. */
export function printed(program: Running, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const [, found] = pattern.exec(program.output()) ?? [];
      if (found !== undefined) resolve(found);
    };
    program.child.stdout?.on("data", look);
    program.child.once("close", () => {
      look();
      reject(new Error(`it ended without ${pattern}:\n${program.output()}`));
    });
    look();
  });
}
