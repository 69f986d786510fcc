// Checks what the build has to build, by the contents of the sources. It runs before each start, so it has no
// dependencies.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * What is built: a workspace, the scripts of its package.json that build it in this order, and a file of each output
 * that changes with every build. The stamp is in the folder of the first.
 * @type {readonly { name: string, folder: string, scripts: readonly string[], outputs: readonly string[] }[]}
 */
export const PARTS = [
  {
    name: "server",
    folder: "apps/web",
    scripts: ["assets", "bundle", "pages"],
    outputs: [
      "dist/server.mjs",
      "dist/next.mjs",
      "dist/next-server.mjs",
      "dist/handlers.mjs",
      "dist/backup.mjs",
      ".next/BUILD_ID",
    ],
  },
  { name: "console", folder: "apps/admin", scripts: ["build"], outputs: [".next/BUILD_ID"] },
  { name: "command line", folder: "packages/cli", scripts: ["build"], outputs: ["dist/main.mjs"] },
];
export const COMMAND_LINE = PARTS[2];

/** Of every part. */
const SHARED = ["pnpm-lock.yaml", "pnpm-workspace.yaml", "tsconfig.base.json"];
const NOT_SOURCES = new Set(["node_modules", "dist", "assets"]);
/** What begins with a dot is made by a build or a test, which may delete it at any time. */
const NOT_BUILT = /^\.|\.test\.tsx?$|\.md$|\.tsbuildinfo$|^next-env\.d\.ts$/;

/** True if neither the contents of the part's sources nor its outputs changed since `markBuilt`. */
export function isBuilt(root, part) {
  if (![stampOf(root, part), ...outputsOf(root, part)].every((file) => existsSync(file))) return false;
  return readFileSync(stampOf(root, part), "utf8") === stamp(root, part, sourcesOfPart(root, part));
}

/**
 * A fingerprint of the sources of each part. Take it before the build, because edits during the build may be missed.
 */
export function sourcesOf(root) {
  return Object.fromEntries(PARTS.map((part) => [part.name, sourcesOfPart(root, part)]));
}

/** Call this after a build of these sources. */
export function markBuilt(root, part, sources) {
  writeFileSync(stampOf(root, part), stamp(root, part, sources));
}

/** Its own files, and those of the workspaces that it depends on. */
function sourcesOfPart(root, part) {
  const folders = [...workspacesOf(root, part.folder)].sort();
  return hashOf(root, [...SHARED, ...folders.flatMap((folder) => filesOf(root, folder))]);
}

function workspacesOf(root, folder, found = new Set()) {
  found.add(folder);
  const manifest = join(root, folder, "package.json");
  const { dependencies = {} } = existsSync(manifest) ? JSON.parse(readFileSync(manifest, "utf8")) : {};
  for (const [name, version] of Object.entries(dependencies)) {
    const other = `packages/${name.replace("@gatehouse/", "")}`;
    if (version.startsWith("workspace:") && !found.has(other)) workspacesOf(root, other, found);
  }
  return found;
}

const outputsOf = (root, { folder, outputs }) => outputs.map((file) => join(root, folder, file));
const stampOf = (root, part) => join(dirname(outputsOf(root, part)[0] ?? root), ".gatehouse-built");
/** A build without NODE_ENV is one for production. */
const mode = () =>
  `${process.env.NODE_ENV || "production"}${process.env.SOURCE_MAPS === "1" ? " with source maps" : ""}`;
const stamp = (root, part, sources) =>
  `${process.version} ${mode()}\n${sources}\n${hashOf(
    root,
    part.outputs.map((file) => `${part.folder}/${file}`),
  )}\n`;

function hashOf(root, files) {
  const hash = createHash("sha256");
  for (const file of files) {
    const content = readFileSync(join(root, file));
    hash.update(`\n${file} ${content.length}\n`).update(content);
  }
  return hash.digest("hex");
}

/** The path itself, or every source file below it, in a stable order. */
function filesOf(root, folder) {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => !NOT_SOURCES.has(name) && !NOT_BUILT.test(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? filesOf(root, `${folder}/${entry.name}`) : [`${folder}/${entry.name}`]));
}
