import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ROOT, temporaryFolder } from "../processes.ts";
import type { Tree } from "./driven.ts";

/** The command cannot do what was asked for; the message says why and what to do. */
export class AgainstError extends Error {}

/** The full name of a commit. Throws if there is none of that name. */
export function commitOf(name: string): string {
  const { status, stdout } = git("rev-parse", "--verify", "--quiet", `${name}^{commit}`);
  if (status === 0) return stdout.trim();
  throw new AgainstError(
    `there is no commit ${name} here. A shallow clone has only the last ones: git fetch --unshallow`,
  );
}

/** Whether files differ from the last commit. */
export const isDirty = (): boolean => git("status", "--porcelain", "--untracked-files=no").stdout.trim() !== "";

/** Checks out a commit into a temporary folder and builds its server. It is deleted when this process exits. */
export async function buildTree(commit: string): Promise<Tree> {
  const name = commit.slice(0, 10);
  const { folder: parent, remove } = temporaryFolder("against");
  const folder = join(parent, "tree");
  process.once("exit", () => {
    git("worktree", "remove", "--force", folder);
    remove();
    git("worktree", "prune");
  });
  const { status, stderr } = git("worktree", "add", "--detach", "--quiet", folder, commit);
  if (status !== 0) throw new AgainstError(`git worktree add failed:\n${stderr}`);
  await install(folder, name);
  await buildServer(folder, name);
  return { name, folder };
}

/**
 * Installs the packages of the other tree as its own `npm run setup` does: without its stamp, its commands would
 * install again what they need to run, and remove the rest. Where the lock files are the same, a copy of this tree's
 * packages saves most of the time.
 */
async function install(folder: string, name: string): Promise<void> {
  const lock = "pnpm-lock.yaml";
  const isSame = readFileSync(join(folder, lock), "utf8") === readFileSync(join(ROOT, lock), "utf8");
  if (isSame && existsSync(join(ROOT, "node_modules/.pnpm"))) copyPackages(folder);
  else console.log(`${name} has other packages: installing them`);
  await run(name, folder, "npm", ["run", "setup"], { CI: "true" });
}

function copyPackages(folder: string): void {
  mkdirSync(join(folder, "node_modules"));
  const entries = readdirSync(join(ROOT, "node_modules")).filter(
    (entry) => !entry.startsWith(".") || [".pnpm", ".bin"].includes(entry),
  );
  for (const entry of entries) copy(join("node_modules", entry), folder);
  for (const workspace of workspaces())
    if (existsSync(join(folder, workspace))) copy(join(workspace, "node_modules"), folder);
}

/** Folders of packages with packages of their own. */
function workspaces(): string[] {
  const groups = ["packages", "apps", "examples"].flatMap((group) =>
    existsSync(join(ROOT, group)) ? readdirSync(join(ROOT, group)).map((entry) => join(group, entry)) : [],
  );
  return [...groups, "e2e"].filter((workspace) => existsSync(join(ROOT, workspace, "node_modules")));
}

/** Copies as hard links where the file system can; links inside are relative, so they point into the other tree. */
function copy(path: string, folder: string): void {
  const [from, to] = [join(ROOT, path), join(folder, path)];
  if (spawnSync("cp", ["-al", from, to]).status === 0) return;
  rmSync(to, { recursive: true, force: true });
  cpSync(from, to, { recursive: true, verbatimSymlinks: true });
}

/** Builds what the bench starts: the server and the command line. */
async function buildServer(folder: string, name: string): Promise<void> {
  for (const part of ["packages/cli", "apps/web"]) {
    console.log(`building ${part} of ${name}`);
    await run(name, join(folder, part), "npm", ["run", "build"], { NEXT_TELEMETRY_DISABLED: "1" });
  }
}

/** Ends with this process: its group is killed then. */
async function run(
  name: string,
  cwd: string,
  program: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<void> {
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let output = "";
  const keep = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-4000);
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  const killWithUs = () => child.pid !== undefined && process.kill(-child.pid, "SIGKILL");
  process.prependOnceListener("exit", killWithUs);
  const [status] = await once(child, "close");
  process.off("exit", killWithUs);
  if (status !== 0)
    throw new AgainstError(`${name} cannot be built: ${program} ${args.join(" ")} failed in ${cwd}:\n${output}`);
}

function git(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync("git", args, { cwd: ROOT, encoding: "utf8" });
}
