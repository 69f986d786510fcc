import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { filesBelow } from "../../scripts/pack/check.mjs";
import { type Packed, pack } from "../../scripts/pack/pack.mjs";
import { SQLITE } from "../../scripts/pack/sqlite.mjs";
import { type Agent, newAgent, type Page } from "./agent.ts";
import { ROOT } from "./commands.ts";
import { launch, type Running } from "./processes.ts";

/** The server's package, and that of SQLite's binary for this machine. */
export type Packages = { server: Packed; sqlite: Packed; work: string; remove: () => Promise<void> };

/** Packs both into a folder of their own. */
export async function packServer(): Promise<Packages> {
  const work = await mkdtemp(join(tmpdir(), "gatehouse-packaged-"));
  const sqlite = await pack(SQLITE, { to: work });
  const server = await pack("server", { to: work });
  return { server, sqlite, work, remove: () => rm(work, { recursive: true, force: true }) };
}

/** A project in which a package manager has installed them: from the tarballs, without running a script. */
export async function installed({ server, sqlite, work }: Packages): Promise<string> {
  const project = await newProject(work);
  const flags = ["--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"];
  await promisify(execFile)("npm", ["install", ...flags, server.tarball, sqlite.tarball], { cwd: project });
  return project;
}

/** The same without a package manager: the libraries are those of the repository. */
export async function linked({ server, sqlite, work }: Packages): Promise<string> {
  const project = await newProject(work);
  const scope = join(project, "node_modules/@gatehouse");
  const libraries = join(server.folder, "node_modules");
  await mkdir(join(libraries, "@gatehouse"), { recursive: true });
  await mkdir(scope, { recursive: true });
  await symlink(server.folder, join(scope, "server"));
  await symlink(sqlite.folder, join(libraries, "@gatehouse", SQLITE)).catch(() => undefined); // of another project
  const { dependencies } = await manifestOf(server);
  for (const name of Object.keys(dependencies)) await link(name, libraries);
  return project;
}

async function link(name: string, libraries: string): Promise<void> {
  await mkdir(join(libraries, name, ".."), { recursive: true });
  await symlink(join(ROOT, "packages/server/node_modules", name), join(libraries, name)).catch(() => undefined);
}

async function newProject(work: string): Promise<string> {
  const project = await mkdtemp(join(work, "project-"));
  await writeFile(join(project, "package.json"), JSON.stringify({ name: "shop", private: true }));
  return project;
}

export type Manifest = { name: string; version: string; dependencies: Record<string, string> } & Record<
  string,
  unknown
>;

export const manifestOf = async ({ folder }: Packed): Promise<Manifest> =>
  JSON.parse(await readFile(join(folder, "package.json"), "utf8"));

/** The paths of its files, without the libraries that `linked` adds. */
export const filesOf = ({ folder }: Packed): string[] =>
  filesBelow(folder).filter((file) => !file.startsWith("node_modules/"));

/** Starts a command of the package in a project, as npx does there. */
export function gatehouseIn(project: string, args: readonly string[], env: Record<string, string> = {}): Running {
  const bin = join(project, "node_modules/@gatehouse/server/bin/gatehouse.mjs");
  return launch(process.execPath, [bin, ...args], { cwd: project, env: { ...NO_SETTINGS, ...env } });
}

/** The tests' own settings are not those of the package. */
const NO_SETTINGS = { GATEHOUSE_ENV_FILE: "", GATEHOUSE_DATA_DIR: "", GATEHOUSE_ISSUER: "", GATEHOUSE_ADMIN_URL: "" };

/** Signs in to the console as a browser does. Returns the console's page, and the agent that is signed in. */
export async function signInToConsole(
  { issuer, console }: { issuer: string; console: string },
  { email, password }: { email: string; password: string },
): Promise<{ agent: Agent; page: Page }> {
  const [agent, server] = [newAgent(console), newAgent(issuer)];
  const form = await server.open(pathOf(await agent.open("/")));
  const signedIn = await server.submit(form, { fields: { Email: email, Password: password }, button: "Sign in" });
  return { agent, page: await agent.open(pathOf(signedIn)) };
}

function pathOf({ headers, status, text }: Page): string {
  const location = headers.get("location");
  if (location === null) throw new Error(`no redirect, but ${status}: ${text.slice(0, 500)}`);
  const { pathname, search } = new URL(location);
  return pathname + search;
}
