import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { buildSdk } from "../../scripts/pack/sdk.mjs";
import { ROOT } from "./commands.ts";
import { freePort, launch, type Running, untilReady } from "./processes.ts";

/** A built Next product that uses the packed sdk. It can be started several times. */
export type NextProduct = {
  /** Where it is built. */
  folder: string;
  start(env: Record<string, string>): Promise<StartedProduct>;
};
export type StartedProduct = Running & { url: string };

/** Below the package whose dependencies it uses, so that Next finds its own root. */
const FOLDER = join(ROOT, "e2e/.products");
const NEXT = [join(ROOT, "e2e/node_modules/.bin/next")];
const SILENT = { NEXT_TELEMETRY_DISABLED: "1", NODE_ENV: "production" };

/**
 * The product of `products/next` on the workspace's Next: the starters from the registry cost minutes. What has been built
 * from the same files before is used again.
 */
export async function buildNextProduct(): Promise<NextProduct> {
  await mkdir(FOLDER, { recursive: true });
  const work = await mkdtemp(join(FOLDER, "new-"));
  try {
    for (const from of ["next-starter", "next"]) await cp(join(ROOT, "e2e/products", from), work, { recursive: true });
    const sdk = join(work, "node_modules/@gatehouse/sdk");
    await mkdir(sdk, { recursive: true });
    await buildSdk(sdk, { types: false }); // Next builds the product without checking types
    const folder = join(FOLDER, `next-${await fingerprintOf(work)}`);
    if (!existsSync(join(folder, ".next/BUILD_ID"))) {
      await rm(folder, { recursive: true, force: true });
      await rename(work, folder);
      await build(folder, NEXT);
    }
    return productIn(folder, NEXT);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/**
 * The same product in a folder that has its own Next, sdk and Node, built by them. `major`: of Next. Before 16 the proxy is
 * called middleware, and there are no Cache Components.
 */
export async function buildNextProductIn(folder: string, { major, node }: { major: number; node: string }) {
  for (const from of ["next-starter", "next"]) await cp(join(ROOT, "e2e/products", from), folder, { recursive: true });
  await rm(join(folder, "tsconfig.json")); // of this repository; Next writes one
  if (major < 16) {
    const proxy = await readFile(join(folder, "proxy.ts"), "utf8");
    await rm(join(folder, "proxy.ts"));
    await writeFile(join(folder, "middleware.ts"), proxy.replace("matcher:", 'runtime: "nodejs", matcher:'));
    await writeFile(join(folder, "next.config.ts"), "export default { typescript: { ignoreBuildErrors: true } };\n");
  }
  const next = [node, join(folder, "node_modules/next/dist/bin/next")];
  await build(folder, next);
  return productIn(folder, next);
}

const productIn = (folder: string, next: readonly string[]): NextProduct => ({
  folder,
  start: (env) => start(folder, next, env),
});

/** Of every file of a product, and of the Next that builds it. */
async function fingerprintOf(folder: string): Promise<string> {
  const hash = createHash("sha256").update(await readFile(join(ROOT, "e2e/node_modules/next/package.json")));
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  for (const path of files.map((file) => join(file.parentPath, file.name)).sort())
    hash.update(path.slice(folder.length)).update(await readFile(path));
  return hash.digest("hex").slice(0, 16);
}

async function build(folder: string, [program = "", ...args]: readonly string[]): Promise<void> {
  const env = { ...process.env, ...SILENT };
  await promisify(execFile)(program, [...args, "build"], { cwd: folder, env }).catch(
    (error: { stdout: string; stderr: string }) => {
      throw new Error(`next build failed:\n${error.stdout}\n${error.stderr}`, { cause: error });
    },
  );
}

async function start(
  folder: string,
  [program = "", ...args]: readonly string[],
  env: Record<string, string>,
): Promise<StartedProduct> {
  const port = Number(env["PORT"] ?? (await freePort()));
  const running = launch(program, [...args, "start", "-H", "localhost", "-p", String(port)], {
    cwd: folder,
    env: { ...SILENT, ...env },
  });
  const url = `http://localhost:${port}`;
  await untilReady(`${url}/`, running).catch(async (error: unknown) => {
    await running.stop();
    throw error;
  });
  return { ...running, url };
}
