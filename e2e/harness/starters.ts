import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { EXPRESS, HONO, VITE_WITH_HONO } from "./starter-files.ts";

const run = promisify(execFile);
const OPTIONS = { maxBuffer: 64 * 1024 * 1024 };
/** No package may need a script of its own at installation. */
const NPM = { npm_config_ignore_scripts: "true", npm_config_prefer_offline: "true", npm_config_fund: "false" };
const env = { ...process.env, ...NPM, npm_config_audit: "false", NEXT_TELEMETRY_DISABLED: "1", NODE_ENV: "" };

/** What makes a product: its vendor's program, with the flags that answer its questions, then packages, then files. */
type Recipe = {
  program?: readonly string[];
  packages?: readonly string[];
  files?: Record<string, string>;
  /** Of package.json, where its program does not know of the files. */
  scripts?: Record<string, string>;
};

const NEXT_FLAGS = ["shop", "--yes", "--skip-install", "--disable-git", "--use-npm"];
const VITE_FLAGS = ["shop", "--template", "react-ts", "--no-interactive"];
export const STARTERS = {
  "create-next-app 16": { program: ["create-next-app@16", ...NEXT_FLAGS] },
  "create-next-app 15": { program: ["create-next-app@15", ...NEXT_FLAGS] },
  "create-t3-app": { program: ["create-t3-app@7", "shop", "--CI", "--trpc", "--appRouter", "--noInstall", "--noGit"] },
  "create-vite with Hono": {
    program: ["create-vite@9", ...VITE_FLAGS],
    packages: ["hono@4", "@hono/node-server@2", "tsx@4"],
    files: VITE_WITH_HONO,
    scripts: { dev: "tsx server.ts" },
  },
  "Express 4": { packages: ["express@4"], files: EXPRESS },
  "Express 5": { packages: ["express@5"], files: EXPRESS },
  // As create-hono makes it, which gets its template from GitHub.
  Hono: {
    packages: ["hono@4", "@hono/node-server@2", "tsx@4", "typescript@5", "@types/node@20"],
    files: HONO,
  },
} as const satisfies Record<string, Recipe>;
export type Starter = keyof typeof STARTERS;

/** A product as the starter makes it, installed and committed to Git. Returns its folder. */
export async function makeStarter(starter: Starter, folder: string): Promise<string> {
  const { program, packages = [], files = {}, scripts = {} }: Recipe = STARTERS[starter];
  const project = join(folder, "shop");
  await mkdir(folder, { recursive: true });
  if (program) await run("npx", ["--yes", ...program], { ...OPTIONS, env, cwd: folder });
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(project, file)), { recursive: true });
    await writeFile(join(project, file), text);
  }
  for (const [name, script] of Object.entries(scripts))
    await run("npm", ["pkg", "set", `scripts.${name}=${script}`], { ...OPTIONS, env, cwd: project });
  await run("npm", ["install", ...packages], { ...OPTIONS, env, cwd: project });
  await git(project, "init", "--quiet");
  await git(project, "add", "--all");
  await git(project, "-c", "user.name=test", "-c", "user.email=test@example.com", "commit", "--quiet", "-m", "starter");
  return project;
}

/** The environment of a product's own commands: that of a user's shell, which has no NODE_ENV. */
export const starterEnv = (port: number): Record<string, string> => ({
  NODE_ENV: "",
  PORT: String(port),
  NEXT_TELEMETRY_DISABLED: "1",
});

/** `npm run build`. The fonts that Next's starters get from Google come from a file. */
export async function buildStarter(project: string): Promise<void> {
  const fonts = join(dirname(project), "fonts.cjs");
  await writeFile(fonts, FONTS);
  await run("npm", ["run", "build"], {
    ...OPTIONS,
    env: { ...env, NEXT_FONT_GOOGLE_MOCKED_RESPONSES: fonts },
    cwd: project,
  }).catch((error: { stdout: string; stderr: string }) => {
    throw new Error(`npm run build failed:\n${error.stdout}\n${error.stderr}`, { cause: error });
  });
}

const FONTS = `const css = (family) => "@font-face { font-family: '" + family + "'; src: local('" + family + "'); }";
module.exports = Object.fromEntries(["Geist", "Geist Mono"].map((family) => [
  "https://fonts.googleapis.com/css2?family=" + family.replace(" ", "+") + ":wght@100..900&display=swap", css(family),
]));
`;

export async function git(project: string, ...args: string[]): Promise<string> {
  return (await run("git", args, { ...OPTIONS, cwd: project })).stdout;
}

/**
 * Runs a command of the packed server in a project that does not have it, as npx does: it keeps packages in npm's
 * cache, under a name made of their paths. Returns the exit code, and what it printed.
 */
export async function npx(
  project: string,
  tarballs: readonly string[],
  args: readonly string[],
): Promise<{ code: number; said: string }> {
  const packages = tarballs.map((tarball) => `--package=${tarball}`);
  const command = ["exec", "--yes", "--prefer-offline", ...packages, "--", "gatehouse", ...args];
  try {
    return { code: 0, said: (await run("npm", command, { ...OPTIONS, env, cwd: project })).stdout };
  } catch (error) {
    const { code, stdout } = error as { code?: unknown; stdout?: string };
    if (typeof code !== "number" || stdout === undefined) throw error;
    return { code, said: stdout };
  }
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
