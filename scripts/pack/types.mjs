import { readdirSync } from "node:fs";
import { join } from "node:path";
import { rollup } from "rollup";
import { dts } from "rollup-plugin-dts";
import { ROOT } from "../steps.mjs";
import { readJson } from "./manifest.mjs";

/**
 * Bundles the declarations of `entries`, private workspace packages included.
 * @throws Error that names each type that a signature uses and no entry exports: callers could not name it (TS2742).
 */
export async function bundleTypes({ entries, dist, external, tsconfig }) {
  const problems = [];
  const bundle = await rollup({
    input: entries,
    external: (id) => external.some((name) => id === name || id.startsWith(`${name}/`)),
    plugins: [dts({ tsconfig, compilerOptions: { noEmit: false, paths: workspaceSources() } })],
    onLog: (level, { message }) => level === "warn" && problems.push(message),
  });
  await bundle.write({ dir: dist, format: "es", entryFileNames: "[name].d.ts", chunkFileNames: "chunks/[name].d.ts" });
  await bundle.close();
  if (problems.length > 0) throw new Error(`The types of the package are incomplete:\n${problems.join("\n")}`);
}

/**
 * The sources of what workspace packages export, by import. Found through node_modules, each of their files would be an
 * external library, for which the plugin makes a program of its own.
 */
function workspaceSources() {
  return Object.fromEntries(
    readdirSync(join(ROOT, "packages")).flatMap((folder) => {
      const { name, exports = {} } = readJson(join(ROOT, "packages", folder, "package.json"));
      return Object.entries(exports).flatMap(([subpath, file]) =>
        typeof file === "string" ? [[join(name, subpath), [join(ROOT, "packages", folder, file)]]] : [],
      );
    }),
  );
}
