import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { apiReports, staleApiReports } from "./api-reports.mjs";
import { codeImports, filesBelow, problemsOf } from "./check.mjs";
import { lintProblems } from "./lint.mjs";
import { packedManifest } from "./manifest.mjs";
import { applyScope, type Packed, pack } from "./pack.mjs";
import { startSize } from "./start-size.ts";
import { bundleTypes } from "./types.mjs";

const NAMES = { scope: "@gatehouse", published: ["sdk", "server", "sqlite-.*"] };
/** Entries that may need Node; all others run wherever there are Web APIs. */
const NODE_ENTRIES = ["./express", "./testing"];
/** Entries for the browser. */
const BROWSER_ENTRIES = ["./react", "./trpc/client"];

type Target = { types: string; browser?: string; default: string; [condition: string]: string | undefined };
type Manifest = { name: string; version: string; exports: Record<string, Target | string> } & Record<string, unknown>;

let work: string;
let sdk: Packed;
let manifest: Manifest;

beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), "gatehouse-pack-"));
  sdk = await pack("sdk", { to: work });
  manifest = JSON.parse(await readFile(join(sdk.folder, "package.json"), "utf8"));
});
afterAll(() => rm(work, { recursive: true, force: true }));
afterEach(() => {
  vi.unstubAllEnvs();
});

const entries = () =>
  Object.entries(manifest.exports).flatMap(([name, target]) => (typeof target === "string" ? [] : [{ name, target }]));

describe("the packed sdk", () => {
  test("PK-61 is ESM with types for every entry, without side effects, scripts or other files", async () => {
    expect(manifest).toMatchObject({ type: "module", sideEffects: false, engines: { node: ">=20.9.0" } });
    expect(manifest).not.toHaveProperty("scripts");
    expect(manifest).not.toHaveProperty("private");
    for (const { target } of entries())
      await expect(readFile(join(sdk.folder, target.types), "utf8")).resolves.toContain("export");
    expect(filesBelow(sdk.folder).filter((file) => !file.startsWith("dist/"))).toEqual(
      expect.arrayContaining(["LICENSE", "README.md", "package.json"]),
    );
    expect(filesBelow(sdk.folder).filter((file) => /\.tsx?$/.test(file) && !file.endsWith(".d.ts"))).toEqual([]);
  });

  test("PK-61 throws by name in a browser, but for the entries made for it", async () => {
    for (const { name, target } of entries()) {
      if (BROWSER_ENTRIES.includes(name)) {
        expect(target.browser).toBeUndefined();
        continue;
      }
      const entry = join(manifest.name, name);
      const loading = promisify(execFile)(process.execPath, ["-C", "browser", "-e", `import("${entry}")`], {
        cwd: sdk.folder, // a package can import itself by its name
      });
      await expect(loading).rejects.toThrow(`${name.replace(/^\.$/, "")} runs on the server only`);
      for (const runtime of ["edge-light", "workerd"]) expect(target[runtime]).toBe(target.default);
    }
  });

  test("N94 PK-61 a bundle for the browser that imports a server entry fails with a sentence", async () => {
    const building = build({
      stdin: { contents: 'export { gatehouse } from "@gatehouse/sdk/next";', resolveDir: sdk.folder },
      bundle: true,
      platform: "browser",
      write: false,
      logLevel: "silent",
    });
    await expect(building).rejects.toThrow("@gatehouse/sdk/next runs on the server only");
  });

  test("PK-61 needs Node in few entries", async () => {
    for (const { name, target } of entries().filter((entry) => !NODE_ENTRIES.includes(entry.name))) {
      const imports = await codeImports(sdk.folder, [target.default]);
      expect([name, imports.filter(({ path }) => path.startsWith("node:"))]).toEqual([name, []]);
    }
  });

  test("PK-62 depends on jose and oauth4webapi alone, with versions, and names nothing private", async () => {
    const { dependencies = {} } = manifest as { dependencies?: Record<string, string> };
    expect(["jose", "oauth4webapi"]).toEqual(expect.arrayContaining(Object.keys(dependencies)));
    for (const range of Object.values(dependencies)) expect(range).toMatch(/^\^\d/);
    await expect(problemsOf(sdk.folder, NAMES)).resolves.toEqual([]);
  });

  test("PK-62 exports what the committed reports say, which `npm run pack` writes", async () => {
    const reports = await apiReports(sdk.folder);
    expect(reports.size).toBe(entries().length);
    await expect(staleApiReports(reports)).resolves.toEqual([]);

    const changed = reports.get("next.api.md")?.replace("export function gatehouse(", "export function renamed(");
    await expect(staleApiReports(new Map(reports).set("next.api.md", changed ?? ""))).resolves.toEqual(["next.api.md"]);
    expect(changed).not.toBe(reports.get("next.api.md"));
  });

  test("PK-65 has the version of the repository and where it comes from", async () => {
    const repository = JSON.parse(await readFile(new URL("../../package.json", import.meta.url), "utf8"));
    expect(manifest).toMatchObject({ version: repository.version, license: repository.license });
    expect(manifest["publishConfig"]).toEqual({ access: "public", provenance: true });
  });

  test("PK-65 names the repository whose workflow packs it, and otherwise none", () => {
    vi.stubEnv("GITHUB_REPOSITORY", "acme/auth");
    expect(packedManifest({}, {})).toMatchObject({ repository: { url: "git+https://github.com/acme/auth.git" } });
    vi.stubEnv("GITHUB_REPOSITORY", "");
    expect(packedManifest({}, {})).not.toHaveProperty("repository");
  });

  test("PK-63 a Next product's proxy loads at most 25 kB at start, compressed", async () => {
    const proxy = `import { gatehouse } from "@gatehouse/sdk/next";
      const { proxy } = gatehouse();
      export default proxy({ public: ["/"] });`;
    const libraries = fileURLToPath(new URL("../../packages/sdk/node_modules", import.meta.url));
    const options = { resolveDir: sdk.folder, nodePaths: [libraries], external: ["next", "next/*", "react"] };
    const size = await startSize(proxy, options);
    expect(size).toBeGreaterThan(5_000); // the libraries are part of it
    expect(size).toBeLessThanOrEqual(25_000);
  });

  test("PK-63 has a tarball of at most 150 kB", () => {
    expect(sdk.size).toBeLessThanOrEqual(150_000);
  });

  test("PK-09 has another scope everywhere, if scope.mjs has one", async () => {
    const folder = join(work, "other");
    await cp(sdk.folder, folder, { recursive: true });
    await applyScope(folder, "@another");
    expect(JSON.parse(await readFile(join(folder, "package.json"), "utf8"))).toMatchObject({ name: "@another/sdk" });
    for (const file of filesBelow(folder))
      expect(await readFile(join(folder, file), "utf8"), file).not.toContain("@gatehouse/");
  });
});

describe("what is checked before packing", () => {
  /** A folder with these files and a manifest. */
  async function folderOf(fields: object, files: Record<string, string> = {}): Promise<string> {
    const folder = await mkdtemp(join(work, "made-"));
    for (const [file, text] of Object.entries({ "package.json": JSON.stringify(fields), ...files })) {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), text);
    }
    return folder;
  }

  /** What publint asks of every package. */
  const LINTED = { version: "1.0.0", type: "module", license: "MIT", sideEffects: false, files: ["dist"] };
  const OK = { name: "@gatehouse/sdk", dependencies: { jose: "^6.0.0" }, exports: { ".": "./dist/index.js" } };

  test.each([
    [
      "a private package in code",
      { "dist/index.js": 'import "@gatehouse/guard";' },
      "names the private package @gatehouse/guard",
    ],
    [
      "a private package in types",
      { "dist/index.d.ts": "export * from '@gatehouse/guard';" },
      "names the private package",
    ],
    [
      "a library that is not listed",
      { "dist/index.js": 'import "express";' },
      "imports express, which package.json does not list",
    ],
    ["a library in types that is not listed", { "dist/index.d.ts": "import { A } from 'hono';" }, "imports hono"],
  ])("PK-62 %s is found", async (_, files, problem) => {
    const folder = await folderOf(OK, { "dist/index.js": 'import "jose"; import "node:fs";', ...files });
    await expect(problemsOf(folder, NAMES)).resolves.toEqual(
      expect.arrayContaining([expect.stringContaining(problem)]),
    );
  });

  test.each([
    ["a version of the workspace", { dependencies: { jose: "catalog:" } }, "names workspace: or catalog:"],
    ["a script at installation", { scripts: { postinstall: "node build.js" } }, "has a script postinstall"],
    ["a file that is not built", { exports: { ".": { default: "./src/index.ts" } } }, "exports ./src/index.ts"],
  ])("PK-61 PK-62 %s is found in package.json", async (_, fields, problem) => {
    const folder = await folderOf({ ...OK, ...fields }, { "dist/index.js": "" });
    await expect(problemsOf(folder, NAMES)).resolves.toEqual([expect.stringContaining(problem)]);
  });

  test("PK-62 what publint finds fails the pack", async () => {
    const exports = { ".": { default: "./dist/index.js", types: "./dist/index.d.ts" } };
    const folder = await folderOf(
      { ...OK, ...LINTED, exports },
      { "dist/index.js": "export {};", "dist/index.d.ts": "export {};" },
    );
    await expect(lintProblems(folder)).resolves.toEqual(
      expect.arrayContaining([expect.stringMatching(/^publint: .*types should be the first/)]),
    );
  });

  test("PK-62 an import in types that TypeScript cannot resolve is found", async () => {
    const exports = { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" } };
    const withTypes = (types: string) =>
      folderOf({ ...OK, ...LINTED, exports }, { "dist/index.js": "export {};", "dist/index.d.ts": types });
    await expect(lintProblems(await withTypes("export {};"))).resolves.toEqual([]);
    await expect(lintProblems(await withTypes("export * from './missing';"))).resolves.toEqual([
      "types: Internal resolution error: @gatehouse/sdk/dist/index.d.ts imports ./missing",
    ]);
  });

  test("PK-62 a type that callers see and cannot name fails the build", async () => {
    const folder = await folderOf(
      { type: "module" },
      {
        "tsconfig.json": "{}",
        "hidden.ts": "export type Hidden = { a: string };",
        "one.ts": 'import type { Hidden } from "./hidden.ts"; export const one = (): Hidden => ({ a: "" });',
        "two.ts": 'import type { Hidden } from "./hidden.ts"; export const two = (): Hidden => ({ a: "" });',
      },
    );
    const entriesOfFolder = { one: join(folder, "one.ts"), two: join(folder, "two.ts") };
    const options = { dist: join(folder, "dist"), external: [], tsconfig: join(folder, "tsconfig.json") };
    await expect(bundleTypes({ entries: entriesOfFolder, ...options })).rejects.toThrow("Hidden");
  });
});
