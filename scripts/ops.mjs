// npm run ops: the load and fault tests of e2e/ops, by name, with a table of what they measured: OP-40, OP-55, OP-81,
// OP-82, OP-83, OP-84, OP-85, OP-86, OP-87, OP-88, OP-89, OP-90, OP-91 and OP-92.
import { spawn } from "node:child_process";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { figuresTable, nameOf } from "./ops/table.mjs";
import { environment, fail, install, ROOT, requireNode } from "./steps.mjs";

const FOLDER = "e2e/ops";
const RESULTS = join(ROOT, "dist/ops");
const USAGE = `Usage: npm run ops -- OP-40 [OP-82 …] | all  [--short] [--only "part of a test's name"]`;

requireNode();
const { names, short, only } = readArguments();
const files = testFiles();
if (names.length === 0) {
  console.log(`${USAGE}\n`);
  for (const { id, title } of files) console.log(`  ${id}  ${title}`);
  process.exit(0);
}
const chosen = names.includes("all") ? files : names.flatMap(filesNamed);

await install();
await build();
for (const { id } of chosen) rmSync(join(RESULTS, `${id}.json`), { force: true });
const code = await run(chosen.map(({ file }) => file));
for (const { id } of chosen) console.log(`\n${figuresTable(readResult(id))}`);
console.log(`\nAs JSON: dist/ops/<name>.json`);
process.exit(code);

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      options: { short: { type: "boolean", default: false }, only: { type: "string" } },
      allowPositionals: true,
    });
    return { names: positionals, short: values.short, only: values.only };
  } catch (error) {
    return fail(`${error.message.split(". ")[0]}.\n${USAGE}`);
  }
}

/** The first line of each file says what it tests: `// OP-40: a fleet loses …`. */
function testFiles() {
  return readdirSync(join(ROOT, FOLDER))
    .filter((name) => name.endsWith(".test.ts"))
    .toSorted()
    .map((name) => {
      const [first = ""] = readFileSync(join(ROOT, FOLDER, name), "utf8").split("\n");
      return { file: `${FOLDER}/${name}`, id: nameOf(name), title: first.replace(/^\/\/ [A-Z]+-\d+: /, "") };
    });
}

function filesNamed(name) {
  const found = files.filter(({ id }) => id === name.toUpperCase());
  if (found.length === 0) fail(`There is no test ${name}. They are ${files.map(({ id }) => id).join(", ")}.`);
  return found;
}

function readResult(id) {
  try {
    return JSON.parse(readFileSync(join(RESULTS, `${id}.json`), "utf8"));
  } catch {
    return { id, figures: [], skipped: [] };
  }
}

async function build() {
  const exitCode = await exitOf(spawn(process.execPath, [join(ROOT, "scripts/build.mjs")], { stdio: "inherit" }));
  if (exitCode !== 0) process.exit(exitCode);
}

function run(paths) {
  const env = environment({ GATEHOUSE_ENV_FILE: "off", OPS_FORM: short ? "short" : "long" });
  const args = ["run", "--config", `${FOLDER}/vitest.config.ts`, "--reporter=verbose", ...paths];
  if (only !== undefined) args.push("--testNamePattern", only);
  return exitOf(spawn(join(ROOT, "node_modules/.bin/vitest"), args, { cwd: ROOT, env, stdio: "inherit" }));
}

function exitOf(child) {
  return new Promise((resolve) => child.once("close", (exitCode) => resolve(exitCode ?? 1)));
}
