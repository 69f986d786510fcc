import { cp, mkdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { ROOT } from "../steps.mjs";
import { packedManifest, readJson } from "./manifest.mjs";

/** The package with SQLite's native code for this machine, such as sqlite-linux-x64. PK-17 */
export const SQLITE = `sqlite-${process.platform}-${process.arch}`;

/** Its binaries for Linux are linked with glibc: releases are packed where that is. */
const LIBC = process.platform === "linux" ? { libc: ["glibc"] } : {};

/**
 * Writes that package into `folder`: better-sqlite3's binary, as the installation compiled or downloaded it, named by
 * the ABI of this Node. The binaries stay in dist/sqlite, so that a release packs once with each Node, and the last run
 * has the files of all. PK-17
 */
export async function buildSqlite(folder) {
  const library = join(ROOT, "packages/server/node_modules/better-sqlite3");
  const { version, license } = readJson(join(library, "package.json"));
  const binary = join(library, "build/Release/better_sqlite3.node");
  createRequire(import.meta.url)(binary); // throws if it is for another Node
  const collected = join(ROOT, "dist/sqlite", version, SQLITE);
  await mkdir(collected, { recursive: true });
  await cp(binary, join(collected, `node-v${process.versions.modules}.node`));
  await cp(collected, folder, { recursive: true });
  const source = {
    name: `@gatehouse/${SQLITE}`,
    description: `SQLite for @gatehouse/server: better-sqlite3 ${version}`,
  };
  const fields = { license, os: [process.platform], cpu: [process.arch], ...LIBC, files: ["*.node"] };
  await writeFile(join(folder, "package.json"), `${JSON.stringify(packedManifest(source, fields), null, 2)}\n`);
  await writeFile(
    join(folder, "README.md"),
    `# ${source.name}\n\nThe native code of better-sqlite3 ${version} for ${process.platform} on ${process.arch}, a file for each version of Node's ABI. @gatehouse/server\ninstalls it where it fits.\n`,
  );
}
