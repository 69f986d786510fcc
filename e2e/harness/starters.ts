import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const OPTIONS = { maxBuffer: 64 * 1024 * 1024 };

/** Programs that make a product, as their vendors publish them, with the flags that answer their questions. */
const STARTERS = {
  "create-next-app": ["create-next-app@16", "shop", "--yes", "--skip-install", "--disable-git", "--use-npm"],
  "create-t3-app": ["create-t3-app@7", "shop", "--CI", "--trpc", "--appRouter", "--noInstall", "--noGit"],
} as const;
export type Starter = keyof typeof STARTERS;

/** A product as the starter makes it, installed and committed to Git. Returns its folder. */
export async function makeStarter(starter: Starter, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  await run("npx", ["--yes", ...STARTERS[starter]], { ...OPTIONS, cwd: folder });
  const project = join(folder, "shop");
  await run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund"], { ...OPTIONS, cwd: project });
  await git(project, "init", "--quiet");
  await git(project, "add", "--all");
  await git(project, "-c", "user.name=test", "-c", "user.email=test@example.com", "commit", "--quiet", "-m", "starter");
  return project;
}

/** The environment of `next dev`: that of a user's shell, which has no NODE_ENV. */
export const starterEnv = (port: number): Record<string, string> => ({
  NODE_ENV: "",
  PORT: String(port),
  NEXT_TELEMETRY_DISABLED: "1",
});

export async function git(project: string, ...args: string[]): Promise<string> {
  return (await run("git", args, { ...OPTIONS, cwd: project })).stdout;
}

/**
 * Runs a command of the packed server in a project that does not have it, as npx does: it keeps packages in npm's
 * cache, under a name made of their paths.
 */
export async function npx(project: string, tarballs: readonly string[], args: readonly string[]): Promise<string> {
  const packages = tarballs.map((tarball) => `--package=${tarball}`);
  const command = ["exec", "--yes", "--prefer-offline", ...packages, "--", "gatehouse", ...args];
  return (await run("npm", command, { ...OPTIONS, cwd: project })).stdout;
}

/** Removes what npx has kept of these tarballs. */
export async function forgetNpx(tarballs: readonly string[]): Promise<void> {
  const cache = join((await run("npm", ["config", "get", "cache"], OPTIONS)).stdout.trim(), "_npx");
  for (const name of await readdir(cache).catch(() => [])) {
    const manifest = await readFile(join(cache, name, "package.json"), "utf8").catch(() => "");
    if (tarballs.some((tarball) => manifest.includes(basename(dirname(tarball)))))
      await rm(join(cache, name), { recursive: true, force: true });
  }
}
