import { createRequire } from "node:module";
import { join } from "node:path";
import { noSqlite } from "./missing.ts";

type Require = (id: string) => unknown;

/**
 * Loads SQLite's native code: from the optional package of this platform, which has a file for each version of Node's
 * ABI, or else from a better-sqlite3 of the same version that was compiled here. Throws NoSqliteError if neither
 * loads. PK-17
 * @param version The version of better-sqlite3 that the code must belong to.
 * @param places Where packages are looked for, as functions like `require`.
 */
export function loadBinary(version: string, places: readonly Require[] = installed()): object {
  const platform = `${process.platform}-${process.arch}`;
  const abi = process.versions.modules ?? "";
  const prebuilt = `@gatehouse/sqlite-${platform}/node-v${abi}.node`;
  const sources = places.flatMap((require) => [
    { file: prebuilt, load: () => require(prebuilt) },
    { file: `better-sqlite3@${version}`, load: () => loadCompiled(require, version) },
  ]);
  const tried = new Map<string, string>();
  for (const { file, load } of sources) {
    try {
      const binary = load();
      if (typeof binary === "object" && binary !== null) return binary;
    } catch (error) {
      if (!isNotInstalled(error) || !tried.has(file)) tried.set(file, problemOf(error));
    }
  }
  throw noSqlite({ platform, node: process.versions.node, abi, version, tried });
}

/** Beside this package, and in the project that it is used in: npx installs into a folder of its own. */
function installed(): Require[] {
  return [createRequire(import.meta.url), createRequire(join(process.cwd(), "package.json"))];
}

function loadCompiled(require: Require, version: string): unknown {
  const manifest = require("better-sqlite3/package.json") as { version: string };
  if (manifest.version !== version) throw new Error(`the installed version is ${manifest.version}`);
  return require("better-sqlite3/build/Release/better_sqlite3.node");
}

const isNotInstalled = (error: unknown) =>
  error instanceof Error && "code" in error && error.code === "MODULE_NOT_FOUND";

function problemOf(error: unknown): string {
  if (isNotInstalled(error)) return "not installed";
  const [line = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
  return line;
}
