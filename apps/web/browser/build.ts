import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** Bundles the script of the pages into one file in `folder`. They load it under `script-src 'self'`. WA-11. */
export async function buildScripts(folder: string): Promise<void> {
  await build({
    entryPoints: [fileURLToPath(new URL("pages.ts", import.meta.url))],
    outdir: folder,
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2020",
    logLevel: "warning",
  });
}
