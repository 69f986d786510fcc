import { cp, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "../steps.mjs";
import { copyConsole } from "./console-trace.mjs";
import { thirdPartyLicenses } from "./licenses.mjs";
import { packedManifest, readJson } from "./manifest.mjs";
import { bundleServer, installedOf } from "./server-bundle.mjs";
import { SQLITE } from "./sqlite.mjs";

const SOURCE = join(ROOT, "packages/server");
const FILES = ["bin", "dist", "console", "migrations", "public", "THIRD-PARTY-LICENSES.txt"];

/**
 * Writes the package @gatehouse/server into `folder`: all that runs, without Next and React to install. The console and
 * the assets come from `npm run build`. PK-16
 */
export async function buildServer(folder) {
  const sources = await bundleServer(folder);
  copyConsole(join(folder, "console"));
  await cp(join(SOURCE, "bin"), join(folder, "bin"), { recursive: true });
  await cp(join(SOURCE, "README.md"), join(folder, "README.md"));
  await cp(join(ROOT, "apps/web/public/assets"), join(folder, "public/assets"), { recursive: true });
  await copyMigrations(join(folder, "migrations"));
  await writeFile(join(folder, "THIRD-PARTY-LICENSES.txt"), thirdPartyLicenses(sources, ["apps/admin"]));
  const source = readJson(join(SOURCE, "package.json"));
  const manifest = packedManifest(
    { ...source, dependencies: installedOf(source.dependencies) },
    {
      files: FILES,
      exports: { "./package.json": "./package.json" },
      optionalDependencies: { [`@gatehouse/${SQLITE}`]: readJson(join(ROOT, "package.json")).version },
    },
  );
  await writeFile(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** What a program reads of them: the statements and their order. */
async function copyMigrations(to) {
  const from = join(ROOT, "packages/db/migrations");
  for (const engine of ["sqlite", "postgres"]) {
    const files = (await readdir(join(from, engine))).filter((name) => name.endsWith(".sql"));
    for (const file of [...files, "meta/_journal.json"]) await cp(join(from, engine, file), join(to, engine, file));
  }
}
