import { execFile } from "node:child_process";
import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { ROOT } from "./commands.ts";
import type { Versions } from "./versions.ts";

const run = promisify(execFile);
/** Node, as the registry has it for this machine. */
const NODE = `node-${process.platform}-${process.arch}`;
const PROGRAMS = ["sdk-express", "sdk-hono"];

/** A folder with the packed sdk and these versions, installed without a script, and the programs that use them. */
export async function installVersions(folder: string, versions: Versions, sdk: string) {
  const { node, typescript, next, react, trpc, express, hono, beside } = versions;
  const wanted = {
    [NODE]: node,
    typescript,
    next,
    react,
    "react-dom": react,
    "@trpc/server": trpc,
    "@trpc/client": trpc,
    express,
    hono,
    ...beside,
    "@types/node": "20",
  };
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "package.json"), JSON.stringify({ name: "shop", private: true, type: "module" }));
  const packages = Object.entries(wanted).map(([name, version]) => `${name}@${version}`);
  const flags = ["--save-exact", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"];
  await run("npm", ["install", ...flags, sdk, ...packages], { cwd: folder, maxBuffer: 16 * 1024 * 1024 });
  await build({
    entryPoints: PROGRAMS.map((name) => join(ROOT, `e2e/harness/${name}.ts`)),
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    packages: "external",
    format: "esm",
    platform: "node",
    target: "node20.9",
  });
  const program = join(folder, "node_modules", NODE, process.platform === "win32" ? "bin/node.exe" : "bin/node");
  return {
    node: program,
    /** Runs a program of the folder, or a library's, with its Node. Returns what it prints. */
    run: async (file: string, ...args: string[]): Promise<string> =>
      (await run(program, [file, ...args], { cwd: folder, maxBuffer: 16 * 1024 * 1024 })).stdout,
  };
}

/** Compiles the program that uses every entry, as a product's compiler does. Returns the errors. */
export async function compileConsumer(folder: string, node: string): Promise<string> {
  const consumer = join(folder, "consumer");
  await mkdir(consumer, { recursive: true });
  await cp(join(ROOT, "e2e/products/consumer"), consumer, { recursive: true });
  try {
    await run(node, [join(folder, "node_modules/typescript/bin/tsc"), "--project", consumer], { cwd: folder });
    return "";
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}
