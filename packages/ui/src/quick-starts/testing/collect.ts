import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

const FOLDER = join(import.meta.dirname, "../../../quick-starts");

/**
 * The content of `src/quick-starts/files.json`, from which the console takes the quick starts:
 * `{ "<quick start>": { "<path>": "<text>" } }`, sorted.
 */
export function collect(): string {
  const collected = readdirSync(FOLDER)
    .toSorted()
    .map((name) => [name, filesOf(join(FOLDER, name))]);
  return `${JSON.stringify(Object.fromEntries(collected), null, 2)}\n`;
}

function filesOf(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
  return Object.fromEntries(
    paths.map((path) => [relative(folder, path).replaceAll("\\", "/"), readFileSync(path, "utf8")]),
  );
}
