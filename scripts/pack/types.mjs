import { readdirSync } from "node:fs";
import { join } from "node:path";
import { rollup } from "rollup";
import { dts } from "rollup-plugin-dts";
import { ROOT } from "../steps.mjs";
import { SOURCE_SCOPE } from "./scope.mjs";

/**
 * Bundles the declarations of `entries`, private workspace packages included.
 * @throws Error that names each type that a signature uses and no entry exports: callers could not name it (TS2742).
 */
export async function bundleTypes({ entries, dist, external, tsconfig }) {
  const problems = [];
  const bundle = await rollup({
    input: entries,
    external: (id) => external.some((name) => id === name || id.startsWith(`${name}/`)),
    plugins: [dts({ tsconfig, includeExternal: workspacePackages(), compilerOptions: { noEmit: false } })],
    onLog: (level, { message }) => level === "warn" && problems.push(message),
  });
  await bundle.write({ dir: dist, format: "es", entryFileNames: "[name].d.ts", chunkFileNames: "chunks/[name].d.ts" });
  await bundle.close();
  if (problems.length > 0) throw new Error(`The types of the package are incomplete:\n${problems.join("\n")}`);
}

function workspacePackages() {
  return readdirSync(join(ROOT, "packages")).map((folder) => `${SOURCE_SCOPE}/${folder}`);
}
