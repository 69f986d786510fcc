import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

export const ROOT = resolve(import.meta.dirname, "../..");

/** Applies a fixture with the command line, and returns the command's output. */
export async function apply(fixture: object, folder: string, env: Record<string, string>): Promise<unknown> {
  const file = join(folder, "fixture.json");
  await mkdir(folder, { recursive: true });
  await writeFile(file, JSON.stringify(fixture));
  return gatehouse(["apply", file], env);
}

/** Runs the command line on the installation in `env`, and returns its output. */
export async function gatehouse(args: readonly string[], env: Record<string, string>): Promise<unknown> {
  return JSON.parse((await gatehouseText(args, env)).stdout);
}

/** The same for a command whose output is text. Rejects with `code` and the output if the command fails. */
export async function gatehouseText(
  args: readonly string[],
  env: Record<string, string>,
): Promise<{ stdout: string; stderr: string }> {
  const script = await scriptOf(".", "gatehouse");
  return promisify(execFile)("sh", ["-c", `${script} ${args.map((arg) => `'${arg}'`).join(" ")}`], {
    cwd: ROOT,
    env: withBinaries({ ...process.env, ...env }, "."),
  });
}

/** A script of the package, to be run without a package manager, which would swallow signals. */
export async function scriptOf(folder: string, name: string): Promise<string> {
  const manifest: { scripts: Record<string, string> } = JSON.parse(
    await readFile(join(ROOT, folder, "package.json"), "utf8"),
  );
  const script = manifest.scripts[name];
  if (script === undefined) throw new Error(`${folder} has no script ${name}`);
  return script;
}

/** `env` with the binaries of the package and of the repository in its PATH. */
export function withBinaries(env: NodeJS.ProcessEnv, folder: string): Record<string, string> {
  const path = [join(ROOT, folder, "node_modules/.bin"), join(ROOT, "node_modules/.bin"), process.env["PATH"]].join(
    ":",
  );
  return { ...(env as Record<string, string>), PATH: path, INIT_CWD: ROOT };
}
