import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CompilerState, Extractor, ExtractorConfig } from "@microsoft/api-extractor";
import { ROOT } from "../steps.mjs";
import { readJson } from "./manifest.mjs";

const SOURCE = join(ROOT, "packages/sdk");
/** Where the reports are committed, so that a review shows what a change does to callers. */
const COMMITTED = join(SOURCE, "api");

/**
 * What each entry of the packed sdk exports, with every signature, as API Extractor reports it. PK-62
 * @param {string} folder The packed sdk.
 * @returns {Promise<Map<string, string>>} The reports by file name.
 */
export async function apiReports(folder) {
  const work = await mkdtemp(join(tmpdir(), "gatehouse-api-"));
  try {
    await cp(folder, join(work, "sdk"), { recursive: true });
    await symlink(join(SOURCE, "node_modules"), join(work, "sdk/node_modules"), "dir"); // the types of the peers
    extract(join(work, "sdk"), join(work, "reports"));
    return await readReports(join(work, "reports"));
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** The reports that differ from the committed ones, and those of entries that exist no more. By file name. */
export async function staleApiReports(reports) {
  const committed = await readReports(COMMITTED);
  const files = new Set([...reports.keys(), ...committed.keys()]);
  return [...files].filter((file) => reports.get(file) !== committed.get(file));
}

/** Replaces the stale reports; their file names. */
export async function writeApiReports(reports) {
  await mkdir(COMMITTED, { recursive: true });
  const stale = await staleApiReports(reports);
  for (const file of stale) {
    const report = reports.get(file);
    await (report === undefined ? rm(join(COMMITTED, file)) : writeFile(join(COMMITTED, file), report));
  }
  return stale.map((file) => `packages/sdk/api/${file}`);
}

async function readReports(folder) {
  const files = existsSync(folder) ? (await readdir(folder)).filter((file) => file.endsWith(".api.md")) : [];
  return new Map(await Promise.all(files.map(async (file) => [file, await readFile(join(folder, file), "utf8")])));
}

/** In one program for all entries: making it takes most of the time. */
function extract(folder, reports) {
  const { exports } = readJson(join(folder, "package.json"));
  const types = Object.values(exports).flatMap((target) => target.types ?? []);
  const entries = types.map((file) => join(folder, file));
  const configs = types.map((file, at) => configOf({ folder, reports, entries, entry: entries[at], file }));
  const compilerState = CompilerState.create(configs[0], { additionalEntryPoints: entries });
  for (const config of configs) Extractor.invoke(config, { localBuild: true, compilerState, messageCallback });
}

/** "./dist/trpc/client.d.ts" is reported in trpc-client.api.md. */
const reportOf = (file) => file.replace(/^\.\/dist\/(.*)\.d\.ts$/, "$1").replaceAll("/", "-");

function configOf({ folder, reports, entries, entry, file }) {
  return ExtractorConfig.prepare({
    configObject: {
      projectFolder: folder,
      mainEntryPointFilePath: entry,
      compiler: { overrideTsconfig: { compilerOptions: COMPILER_OPTIONS, files: entries } },
      apiReport: { enabled: true, reportFolder: reports, reportTempFolder: reports, reportFileName: reportOf(file) },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        compilerMessageReporting: { default: { logLevel: "error" } },
        // Our comments are not written in TSDoc, and types that no entry exports fail the bundling already.
        extractorMessageReporting: { default: { logLevel: "none" } },
        tsdocMessageReporting: { default: { logLevel: "none" } },
      },
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: join(folder, "package.json"),
  });
}

const COMPILER_OPTIONS = {
  target: "ES2023",
  lib: ["ES2023", "DOM", "DOM.Iterable"],
  module: "preserve",
  moduleResolution: "bundler",
  types: ["node"],
  strict: true,
  skipLibCheck: true,
};

/** @throws Error for what would be missing in a report, such as a type that cannot be resolved. */
function messageCallback(message) {
  message.handled = true;
  if (message.logLevel === "error") throw new Error(`API Extractor: ${message.formatMessageWithLocation(undefined)}`);
}
