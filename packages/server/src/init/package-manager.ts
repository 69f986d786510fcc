import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { Manifest } from "./project.ts";
import type { Ask } from "./unsure.ts";

export const PACKAGE_MANAGERS = ["npm", "pnpm", "yarn", "bun"] as const;
export type ManagerName = (typeof PACKAGE_MANAGERS)[number];

/** `lockFile`: relative to the project, where the manager writes what it installed. */
export type PackageManager = { name: ManagerName; lockFile: string; install: readonly string[] };

const LOCK_FILES: readonly [file: string, name: ManagerName][] = [
  ["package-lock.json", "npm"],
  ["pnpm-lock.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
  ["bun.lock", "bun"],
  ["bun.lockb", "bun"],
];
const INSTALL: Record<ManagerName, readonly string[]> = {
  npm: ["npm", "install", "--no-audit", "--no-fund", "--prefer-offline"],
  pnpm: ["pnpm", "install", "--no-frozen-lockfile", "--prefer-offline"],
  yarn: ["yarn", "install"],
  bun: ["bun", "install"],
};

/** Which package manager installs the project's libraries: by its lock file, here or above in a workspace. PK-19 */
export async function findPackageManager(project: string, manifest: Manifest, ask: Ask): Promise<PackageManager> {
  const locked = findLockFiles(project);
  const [named] = manifest.packageManager?.split("@") ?? [];
  const stated = PACKAGE_MANAGERS.find((name) => name === named);
  const names = [...new Set(locked.map(({ name }) => name))];
  const name =
    stated ??
    (names.length > 1
      ? await askWhich(
          names,
          locked.map(({ path }) => path),
          ask,
        )
      : (names[0] ?? "npm"));
  const own = LOCK_FILES.find(([, other]) => other === name)?.[0] ?? "package-lock.json";
  const lockFile = locked.find((one) => one.name === name)?.path ?? own;
  return { name, lockFile, install: INSTALL[name] };
}

/** Those of the closest folder that has any. */
function findLockFiles(project: string): { path: string; name: ManagerName }[] {
  for (let folder = project; ; folder = dirname(folder)) {
    const found = LOCK_FILES.filter(([file]) => existsSync(join(folder, file)));
    if (found.length > 0) return found.map(([file, name]) => ({ path: relative(project, join(folder, file)), name }));
    const isRoot = existsSync(join(folder, ".git")) || dirname(folder) === folder;
    if (isRoot) return [];
  }
}

function askWhich(names: readonly ManagerName[], paths: readonly string[], ask: Ask): Promise<ManagerName> {
  return ask({
    title: "Which package manager installs this project?",
    seen: `There are ${paths.join(" and ")}.`,
    flag: "--package-manager",
    choices: names.map((value) => ({ value, label: value })),
  });
}
