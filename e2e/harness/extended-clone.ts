import { execFile } from "node:child_process";
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "./gatehouse.ts";
import { addMisbehavingHandlers } from "./misbehaving-handlers.ts";
import { addReactPages } from "./react-pages.ts";

/** Runs a program to its end. The error of one that fails has all of its output. */
async function run(
  file: string,
  args: readonly string[],
  options: { cwd: string; env?: NodeJS.ProcessEnv },
): Promise<string> {
  try {
    return (await promisify(execFile)(file, args, { ...options, maxBuffer: 16 * 1024 * 1024 })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${file} ${args.join(" ")} failed:\n${stdout}\n${stderr}`, { cause: error });
  }
}

const FULL = process.env["GATEHOUSE_TEST_FULL"] === "1";

/** Below the root, so that the harness finds what is built there. */
const FOLDER = ".extended-clone";

/** One step of docs/extend.md: a file to write, a change to a file, or a command. */
type Step = { kind: "write" | "change" | "command"; path: string; text: string };

const BLOCK = /^```(\w+)\n(.*?)^```$/gms;

/** The code blocks of a page, in order. A block's file is the last path that the text before it names. */
function stepsOf(page: string): Step[] {
  const steps: Step[] = [];
  let path = "";
  let end = 0;
  for (const { 0: block, 1: language = "", 2: text = "", index } of page.matchAll(BLOCK)) {
    path = [...page.slice(end, index).matchAll(/[`*]((?:packages|apps)\/[^`*\s]+\.\w+)[`*]/g)].at(-1)?.[1] ?? path;
    end = index + block.length;
    steps.push({ kind: language === "sh" ? "command" : language === "diff" ? "change" : "write", path, text });
  }
  return steps;
}

/** Applies a diff without positions: its context has to stand in the file exactly once. */
function applyDiff(source: string, diff: string, path: string): string {
  const side = (dropped: string) =>
    diff
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith(dropped))
      .map((line) => line.slice(1))
      .join("\n");
  const [before, after] = [side("+"), side("-")];
  if (source.split(before).length !== 2) throw new Error(`docs/extend.md: ${path} does not have once:\n${before}`);
  return source.replace(before, () => after);
}

async function follow({ kind, path, text }: Step, clone: string): Promise<void> {
  const file = join(clone, path);
  if (kind === "command") {
    await run("sh", ["-c", text], { cwd: clone });
  } else if (kind === "change") {
    await writeFile(file, applyDiff(await readFile(file, "utf8"), text, path));
  } else {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

/**
 * Clones the repository as it stands in the working tree, follows docs/extend.md in the clone, adds the pages of react-pages.ts and the
 * handlers of misbehaving-handlers.ts, checks the types (in `test:full`) and builds the web server and the command line.
 * Returns the clone's folder below the root; remove it with {@link removeExtendedClone}.
 */
export async function buildExtendedClone(): Promise<string> {
  const clone = join(ROOT, FOLDER);
  const env = { ...process.env, CI: "true", NODE_ENV: "production" as const };
  await cloneWorkingTree(clone, ["web", "cli"], ["--prod=false"]);
  for (const step of stepsOf(await readFile(join(clone, "docs/extend.md"), "utf8"))) await follow(step, clone);
  await addReactPages(clone);
  await addMisbehavingHandlers(clone);

  // One checker takes half the time of four, which check the same declarations again.
  if (FULL) await runIn(join(clone, "apps/web"), "tsc --noEmit --checkers 1", env);
  for (const folder of ["apps/web", "packages/cli"])
    await runIn(join(clone, folder), await buildScriptOf(join(clone, folder)), env);
  return FOLDER;
}

/** Copies the repository as it stands in the working tree, and installs what these packages need. */
export async function cloneWorkingTree(to: string, packages: readonly string[], options: readonly string[] = []) {
  await rm(to, { recursive: true, force: true });
  await copyWorkingTree(to);
  const needed = packages.flatMap((name) => ["--filter", `@gatehouse/${name}...`]);
  const install = ["--yes", "pnpm@12", "install", "--frozen-lockfile", "--prefer-offline", ...options, ...needed];
  await run("npx", install, { cwd: to, env: { ...process.env, CI: "true", NODE_ENV: "production" } });
}

function runIn(folder: string, command: string, env: NodeJS.ProcessEnv): Promise<string> {
  const PATH = `${join(folder, "node_modules/.bin")}:${env["PATH"]}`;
  return run("sh", ["-c", command], { cwd: folder, env: { ...env, PATH } });
}

async function buildScriptOf(folder: string): Promise<string> {
  const { scripts }: { scripts: { build: string } } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  return scripts.build;
}

async function copyWorkingTree(to: string): Promise<void> {
  const files = await run("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: ROOT });
  for (const file of files.split("\0").filter((name) => name !== "")) {
    await cp(join(ROOT, file), join(to, file)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error; // deleted in the working tree
    });
  }
}

export function removeExtendedClone(): Promise<void> {
  return rm(join(ROOT, FOLDER), { recursive: true, force: true });
}
