// Writes src/files.json, from which the console takes the quick starts: bundlers cannot import text. Run it after a change in files/.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const FOLDER = fileURLToPath(new URL("../../files", import.meta.url));

/** `{ "<quick start>": { "<path>": "<text>" } }`, sorted. */
export function collect() {
  const collected = {};
  for (const name of readdirSync(FOLDER).sort()) {
    const paths = filesBelow(join(FOLDER, name)).sort();
    collected[name] = Object.fromEntries(
      paths.map((path) => [relative(join(FOLDER, name), path).replaceAll("\\", "/"), readFileSync(path, "utf8")]),
    );
  }
  return `${JSON.stringify(collected, null, 2)}\n`;
}

function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(new URL("../files.json", import.meta.url), collect());
