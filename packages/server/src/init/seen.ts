import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { findPackageManager, type ManagerName, type PackageManager } from "./package-manager.ts";
import { dependenciesOf, isOlder, type Manifest, parseJson, readIn, readManifest, versionOf } from "./project.ts";
import { findTrpc, type Trpc } from "./trpc.ts";
import { type Ask, UnsureError } from "./unsure.ts";
import { isWorkspaceRoot, packagesWith } from "./workspace.ts";

export const FRAMEWORKS = ["next", "express", "hono"] as const;
export type Framework = (typeof FRAMEWORKS)[number];

/** What a project is made of. Paths are relative to it, with `/` between folders. */
export type Seen = {
  project: string;
  /** Of its package, without a scope. */
  name: string;
  manifest: Manifest;
  framework: Framework;
  /** Where its own modules are: "" or "src/". */
  source: string;
  /** The extension of its modules, without that of JSX. */
  language: "ts" | "js";
  /** Of Next: its major version and the files in `public`. */
  next: { major: number; publicFiles: readonly string[] } | undefined;
  /** What imports of its own modules by path end with, where Node runs them. */
  importExtension: "ts" | "js";
  /** What imports of its own modules begin with, such as "@/"; undefined without one for `source`. */
  alias: string | undefined;
  trpc: Trpc | undefined;
  manager: PackageManager;
  /** Where it listens in development. */
  appUrl: string;
};

/** What the command line says, so that it need not be found out. */
export type Said = { framework?: Framework; appUrl?: string; packageManager?: ManagerName; trpc?: string };

/** Finds out what the project is made of. Asks if that is ambiguous. Throws UnsureError. PK-19 */
export async function look(project: string, said: Said, ask: Ask): Promise<Seen> {
  const manifest = readManifest(project);
  const framework = said.framework ?? (await findFramework(project, manifest, ask));
  const source = sourceFolder(project, framework);
  const language = existsSync(join(project, "tsconfig.json")) ? "ts" : "js";
  const { packageManager, trpc } = said;
  return {
    project,
    name: (manifest.name ?? basename(project)).replace(/^@[^/]+\//, ""),
    manifest,
    framework,
    source,
    language,
    next: framework === "next" ? nextOf(project, manifest) : undefined,
    importExtension: importExtensionOf(project),
    alias: aliasFor(project, source),
    trpc: await findTrpc(project, manifest, trpc === undefined ? ask : async ({ choices }) => chosen(choices, trpc)),
    manager: await findPackageManager(
      project,
      packageManager === undefined ? manifest : { ...manifest, packageManager },
      ask,
    ),
    appUrl: said.appUrl ?? `http://localhost:${portIn(manifest)}`,
  };
}

function chosen<Value extends string>(choices: readonly { value: Value }[], wanted: string): Value {
  const found = choices.find(({ value }) => value === wanted);
  if (found === undefined) throw new UnsureError(`${wanted} does not call initTRPC.`);
  return found.value;
}

async function findFramework(project: string, manifest: Manifest, ask: Ask): Promise<Framework> {
  const libraries = dependenciesOf(manifest);
  const found = FRAMEWORKS.filter((name) => libraries[name] !== undefined);
  const [first] = found;
  if (first === undefined) throw new UnsureError(describeNone(project, manifest));
  if (found.length === 1) return first;
  return ask({
    title: "Which one do your users sign in to?",
    seen: `package.json has ${found.join(" and ")}.`,
    flag: "--framework",
    choices: found.map((value) => ({ value, label: value })),
  });
}

function describeNone(project: string, manifest: Manifest): string {
  if (isWorkspaceRoot(project, manifest)) return describeRoot(project, manifest);
  if (dependenciesOf(manifest)["vite"] !== undefined)
    return "package.json has vite, and no server. A Vite app signs users in through its Express or Hono server: run this there.";
  return "package.json has none of next, express and hono.";
}

function describeRoot(project: string, manifest: Manifest): string {
  const apps = packagesWith(FRAMEWORKS, project, manifest).map(({ folder, library }) => `${folder} (${library})`);
  const which = apps.length === 0 ? "." : `: ${apps.join(", ")}.`;
  return `This is the root of a workspace. Run this in the folder of the app that users sign in to${which}`;
}

function sourceFolder(project: string, framework: Framework): string {
  if (framework !== "next") return existsSync(join(project, "src")) ? "src/" : "";
  if (existsSync(join(project, "app"))) return "";
  if (existsSync(join(project, "src/app"))) return "src/";
  throw new UnsureError("There is neither a folder app nor src/app. Of Next, only the App Router is supported.");
}

/** By major version. Those before have holes in what a proxy relies on. */
const OLDEST_NEXT = new Map([
  [15, [15, 5, 18]],
  [16, [16, 2, 6]],
]);
/** The matcher leaves out the icon, and Next serves no hidden files. */
const NOT_LISTED = /^(\.|favicon\.ico$)/;

function nextOf(project: string, manifest: Manifest): { major: number; publicFiles: readonly string[] } {
  const version = versionOf(project, "next", manifest);
  if (version === undefined) throw new UnsureError("package.json does not say which version of Next it needs.");
  const [major = 0] = version.parts;
  const oldest = OLDEST_NEXT.get(major);
  if (oldest === undefined || (version.isInstalled && isOlder(version.parts, oldest)))
    throw new UnsureError(`Next ${version.parts.join(".")} does not fit: use 15.5.18 or newer, or 16.2.6 or newer.`);
  const folder = join(project, "public");
  const entries = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
  const files = entries.filter((entry) => entry.isFile() && !NOT_LISTED.test(entry.name));
  return { major, publicFiles: files.map(({ name }) => `/${name}`).toSorted() };
}

/** The alias whose only target is the folder: "@/*": ["./src/*"]. */
function aliasFor(project: string, source: string): string | undefined {
  const { paths = {}, baseUrl = "." } = compilerOptionsOf(project);
  const targets = [`${source}*`, `./${source}*`, ...(baseUrl === "./src" || baseUrl === "src" ? ["*", "./*"] : [])];
  return Object.entries(paths)
    .filter(([name, [target, ...more]]) => name.endsWith("/*") && more.length === 0 && targets.includes(target ?? ""))
    .map(([name]) => name.slice(0, -1))[0];
}

/** What an import of a TypeScript module ends with: `.js`, unless the compiler emits nothing or rewrites imports. */
function importExtensionOf(project: string): "ts" | "js" {
  const { allowImportingTsExtensions, rewriteRelativeImportExtensions } = compilerOptionsOf(project);
  return allowImportingTsExtensions || rewriteRelativeImportExtensions ? "ts" : "js";
}

type CompilerOptions = {
  paths?: Record<string, string[]>;
  baseUrl?: string;
  allowImportingTsExtensions?: boolean;
  rewriteRelativeImportExtensions?: boolean;
};

function compilerOptionsOf(project: string): CompilerOptions {
  const text = readIn(project, "tsconfig.json") ?? readIn(project, "jsconfig.json");
  if (text === undefined) return {};
  return (parseJson("tsconfig.json", text) as { compilerOptions?: CompilerOptions }).compilerOptions ?? {};
}

const DEFAULT_PORT = "3000";

function portIn({ scripts }: Manifest): string {
  return /(?:-p|--port)[ =](\d{2,5})\b/.exec(scripts?.["dev"] ?? "")?.[1] ?? DEFAULT_PORT;
}
