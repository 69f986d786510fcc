import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { type BuildOptions, build } from "esbuild";

/**
 * What a program loads at start, in bytes after gzip: its minified bundle and the chunks that this imports statically,
 * without those that it loads when it needs them. PK-63
 *
 * @param source The program, an ES module.
 * @param options Where its imports are found, and which are not part of the bundle.
 */
export async function startSize(
  source: string,
  options: { resolveDir: string } & Pick<BuildOptions, "external" | "nodePaths">,
): Promise<number> {
  const { resolveDir, ...resolution } = options;
  const { metafile, outputFiles } = await build({
    ...resolution,
    stdin: { contents: source, resolveDir },
    absWorkingDir: resolveDir,
    outdir: "unused",
    bundle: true,
    minify: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20.9",
    write: false,
    metafile: true,
    logLevel: "silent",
  });
  const loaded = new Set(
    Object.keys(metafile.outputs).filter((file) => metafile.outputs[file]?.entryPoint === "<stdin>"),
  );
  for (const file of loaded) {
    for (const { path, kind, external } of metafile.outputs[file]?.imports ?? [])
      if (kind === "import-statement" && !external) loaded.add(path);
  }
  const paths = new Set([...loaded].map((file) => join(resolveDir, file)));
  // As one file, which a bundler that knows what is loaded at start makes of them.
  const loadedAtStart = outputFiles.filter(({ path }) => paths.has(path)).map(({ contents }) => contents);
  return gzipSync(Buffer.concat(loadedAtStart)).length;
}
