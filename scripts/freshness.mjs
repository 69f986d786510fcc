// Checks whether the build is up to date without the build tool, which alone takes longer than a start may.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const SOURCES = ["apps", "packages", "package.json", "pnpm-lock.yaml", "pnpm-workspace.yaml", "tsconfig.base.json", "turbo.json"];
const NOT_SOURCES = new Set(["node_modules", ".next", ".turbo", "dist", "assets"]);
const NOT_BUILT = /\.test\.tsx?$|\.md$|\.tsbuildinfo$|^next-env\.d\.ts$/;
/** A file of each output that changes with every build. */
const OUTPUTS = [
  "apps/web/dist/server.mjs",
  "apps/web/dist/next.mjs",
  "apps/web/.next/BUILD_ID",
  "apps/admin/.next/BUILD_ID",
  "packages/cli/dist/main.mjs",
];

/** True if neither the contents of the sources nor the outputs changed since `markBuilt`. */
export function isBuilt(root) {
  if (![stampOf(root), ...OUTPUTS.map((file) => join(root, file))].every((file) => existsSync(file))) return false;
  return readFileSync(stampOf(root), "utf8") === stamp(root, sourcesOf(root));
}

/** A fingerprint of the sources. Take it before the build, because edits during the build may be missed. */
export function sourcesOf(root) {
  return hashOf(
    root,
    SOURCES.flatMap((path) => filesOf(root, path)),
  );
}

/** Call this after a build of these sources. */
export function markBuilt(root, sources) {
  writeFileSync(stampOf(root), stamp(root, sources));
}

const stampOf = (root) => join(root, "node_modules/.gatehouse-built");
/** A build without NODE_ENV is one for production. */
const mode = () => `${process.env.NODE_ENV || "production"}${process.env.GATEHOUSE_SOURCE_MAPS === "1" ? " with source maps" : ""}`;
const stamp = (root, sources) => `${process.version} ${mode()}\n${sources}\n${hashOf(root, OUTPUTS)}\n`;

function hashOf(root, files) {
  const hash = createHash("sha256");
  for (const file of files) {
    const content = readFileSync(join(root, file));
    hash.update(`\n${file} ${content.length}\n`).update(content);
  }
  return hash.digest("hex");
}

/** The path itself, or every source file below it, in a stable order. */
function filesOf(root, path, isFolder = !path.includes(".")) {
  if (!isFolder) return [path];
  return readdirSync(join(root, path), { withFileTypes: true })
    .filter(({ name }) => !NOT_SOURCES.has(name) && !NOT_BUILT.test(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => filesOf(root, `${path}/${entry.name}`, entry.isDirectory()));
}
