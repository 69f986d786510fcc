import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

// OP-97: what others write comes into this repository in one way. Licenses: scripts/release/release.test.ts.

const read = (file: string) => readFileSync(join(import.meta.dirname, file), "utf8");
const workspace = read("pnpm-workspace.yaml");

type Manifest = Partial<Record<"dependencies" | "devDependencies" | "optionalDependencies", Record<string, string>>>;

/** The manifests that pnpm installs: bench has npm's, with the exact versions of what it compares. */
const manifests = execFileSync("git", ["ls-files", "package.json", "*/package.json"], {
  cwd: import.meta.dirname,
  encoding: "utf8",
})
  .split("\n")
  .filter((file) => /^(package\.json|(apps|packages|examples)\/[^/]+\/package\.json|e2e\/package\.json)$/.test(file))
  .map((file) => ({ file, manifest: JSON.parse(read(file)) as Manifest }));

describe("dependencies", () => {
  test("OP-97 every version is in the catalog", () => {
    expect(manifests.length).toBeGreaterThan(20);
    const others = manifests.flatMap(({ file, manifest }) =>
      Object.entries({ ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies })
        .filter(([, range]) => range !== "catalog:" && !range.startsWith("workspace:"))
        .map(([name, range]) => `${file}: ${name} ${range}`),
    );
    expect(others).toEqual([]);
  });

  test("OP-97 a version is three days old, and no package runs a script that no list names", () => {
    expect(Number(/^minimumReleaseAge: (\d+)$/m.exec(workspace)?.[1])).toBeGreaterThanOrEqual(3 * 24 * 60);
    expect(workspace).not.toMatch(/^(minimumReleaseAgeExclude|dangerouslyAllowAllBuilds|strictDepBuilds):/m);
    const [, block = ""] = /^allowBuilds:\n((?: {2}.*\n)+)/m.exec(workspace) ?? [];
    const names = [...block.matchAll(/^ {2}"?([^":]+)"?: (true|false)$/gm)].map(([, name = ""]) => name);
    expect(names).toContain("better-sqlite3");
    expect(names.filter((name) => name.includes("*"))).toEqual([]);
    expect(block.trim().split("\n")).toHaveLength(names.length);
  });

  test("OP-97 the lock file is frozen wherever something is installed", () => {
    const installs = ["scripts/steps/install.mjs", ...execFiles(".github")].flatMap((file) =>
      read(file)
        .split("\n")
        .filter((line) => /pnpm[^\n]*\binstall\b|runPnpm\("install"|\bnpm (ci|i|install)\b/.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
    expect(installs.length).toBeGreaterThan(0);
    expect(installs.filter((line) => !line.includes("--frozen-lockfile"))).toEqual([]);
  });

  test("OP-97 every production dependency has a reason in decision 0040, and no other has one", () => {
    const rows = [
      ...read("docs/decisions/0040-production-dependencies.md").matchAll(/^\| ([@\w./-]+) \| .+ \| .+ \|$/gm),
    ]
      .map(([, name = ""]) => name)
      .filter((name) => name !== "package");
    const used = manifests
      .filter(({ file }) => /^(apps|packages)\//.test(file))
      .flatMap(({ manifest }) => Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }))
      .filter((name) => !name.startsWith("@gatehouse/"));
    expect(rows).toEqual([...new Set(used)].toSorted());
  });
});

const execFiles = (folder: string) =>
  execFileSync("git", ["ls-files", folder], { cwd: import.meta.dirname, encoding: "utf8" })
    .split("\n")
    .filter(Boolean);
