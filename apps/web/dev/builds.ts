import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { context } from "esbuild";
import { bundles } from "../bundles.ts";
import { writeAssets } from "../styles/assets.ts";

const ASSETS = "public/assets";

/** Each call resolves to whether something differs from the build before, and rejects if a source is wrong. */
export type Builds = {
  /** The server, and the files that its pages load. */
  server(): Promise<boolean>;
  /** What runs beside it: Next's process, and that of webhook handlers. */
  others(): Promise<boolean>;
};

/**
 * Builds bundles into `folder`, with source maps. esbuild reports what is wrong in a source. A call that follows another
 * takes a fraction of its time.
 */
export async function createBuilds(folder: string): Promise<Builds> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const options = { write: false, sourcesContent: false } as const;
  const [server, ...others] = await Promise.all(
    bundles({ outdir: folder, sourcemap: true }).map((bundle) => context({ ...bundle, ...options })),
  );
  const written = new Map<string, string>();

  /** Whether the content differs from the one before. */
  function note(path: string, hash: string): boolean {
    const differs = written.get(path) !== hash;
    written.set(path, hash);
    return differs;
  }

  async function buildBundles(contexts: readonly (typeof server)[]): Promise<boolean> {
    const results = await Promise.all(contexts.flatMap((one) => one?.rebuild() ?? []));
    const files = results.flatMap(({ outputFiles = [] }) => outputFiles).filter(({ path, hash }) => note(path, hash));
    await Promise.all(files.map(({ path, contents }) => writeFile(path, contents)));
    return files.length > 0;
  }

  async function buildAssets(): Promise<boolean> {
    await writeAssets();
    const contents = await Promise.all((await readdir(ASSETS)).sort().map((name) => readFile(join(ASSETS, name))));
    return note(ASSETS, contents.reduce((hash, one) => hash.update(one), createHash("sha256")).digest("hex"));
  }

  return {
    server: async () => (await Promise.all([buildBundles([server]), buildAssets()])).includes(true),
    others: () => buildBundles(others),
  };
}
