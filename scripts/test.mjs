// npm test: every layer, with one total at the end. `npm test -- token` runs the tests whose file name contains
// "token", on every layer; in the folder of a package, `npm test` runs the tests below it.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { findChromium } from "./chromium.mjs";
import { environment, fail, install, ROOT, requireNode } from "./steps.mjs";
import { budgetsOf, LAYERS } from "./test/layers.mjs";
import { readPlaywright } from "./test/playwright-report.mjs";
import { runTimed } from "./test/run-timed.mjs";
import { summary } from "./test/summary.mjs";

/** The tests choose their own addresses and databases, so these settings of the caller must not leak in. */
const SETTINGS = [
  "GATEHOUSE_ISSUER",
  "GATEHOUSE_ADMIN_URL",
  "GATEHOUSE_DATA_DIR",
  "GATEHOUSE_SECRET",
  "GATEHOUSE_CONSOLE_CLIENT_SECRET",
  "GATEHOUSE_CONSOLE_COOKIE_KEY",
  "GATEHOUSE_API_ENVIRONMENTS",
  "DATABASE_URL",
  "DATABASE_DIRECT_URL",
  "DATABASE_READ_URL",
  "DATABASE_PREPARE",
  "PORT",
  "ADMIN_PORT",
];
const HERE = relative(ROOT, process.cwd());
const NO_TESTS = new Set(["node_modules", ".next", "dist"]);

requireNode();
const { layers, isWhole, shard, isFull } = readArguments();
await install();
const needsChromium = layers.some(({ runner }) => runner === "playwright");
const reports = mkdtempSync(join(tmpdir(), "gatehouse-test-"));
const env = environment({
  GATEHOUSE_ENV_FILE: "off",
  ...(needsChromium ? { CHROMIUM_PATH: await findChromium() } : {}),
  ...(isFull ? { GATEHOUSE_TEST_FULL: "1" } : {}),
});
for (const name of SETTINGS) delete env[name];

const results = [];
for (const layer of layers) results.push({ layer, ...(await runLayer(layer)) });
rmSync(reports, { recursive: true, force: true });

console.log(summary(results, isWhole ? budgetsOf(isFull ? "full" : "test") : () => undefined));
process.exit(results.some(({ failed }) => failed > 0) ? 1 : 0);

/** Exits with one line if the arguments name no layer or match no test. */
function readArguments() {
  const options = {
    layer: { type: "string", multiple: true },
    shard: { type: "string" },
    full: { type: "boolean", default: false },
  };
  let parsed;
  try {
    parsed = parseArgs({ options, allowPositionals: true });
  } catch (error) {
    return fail(
      `${error.message.split(". ")[0]}.\nUsage: npm test -- [part of a file name …] [--layer=${LAYERS[2].name}] [--shard=1/3] [--full]`,
    );
  }
  const { values, positionals: filters } = parsed;
  const names = values.layer ?? LAYERS.filter(({ isFullOnly }) => !isFullOnly || values.full).map(({ name }) => name);
  const unknown = names.find((name) => !LAYERS.some((layer) => layer.name === name));
  if (unknown !== undefined)
    fail(`There is no layer ${unknown}. The layers are ${LAYERS.map(({ name }) => name).join(", ")}.`);

  const isPart = filters.length > 0 || HERE !== "";
  const chosen = LAYERS.filter((layer) => names.includes(layer.name)).flatMap((layer) => {
    if (!isPart) return [layer];
    const only = matchingFiles(layer, filters);
    return only.length > 0 ? [{ ...layer, only }] : [];
  });
  if (chosen.length === 0)
    fail(`No test file${HERE && ` below ${HERE}`} has ${filters.map((word) => `"${word}"`).join(" or ")} in its name.`);
  const needsBuild = chosen.some((layer) => layer.needsBuild);
  const layers = LAYERS.flatMap(
    (layer) => chosen.find(({ name }) => name === layer.name) ?? (needsBuild && layer.isBuild ? layer : []),
  );
  return { layers, isWhole: !isPart && !values.layer && !values.shard, shard: values.shard, isFull: values.full };
}

function matchingFiles({ folders = [], files }, filters) {
  const all = folders
    .flatMap(filesBelow)
    .filter((file) => files.test(file) && (HERE === "" || file.startsWith(`${HERE}/`)));
  return filters.length === 0 ? all : all.filter((file) => filters.some((word) => file.includes(word)));
}

/** Paths from the root. The root itself is read without its folders. */
function filesBelow(folder) {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === "." ? entry.name : `${folder}/${entry.name}`;
    if (!entry.isDirectory()) return [path];
    return folder === "." || NO_TESTS.has(entry.name) ? [] : filesBelow(path);
  });
}

async function runLayer(layer) {
  console.log(`\n› ${layer.title}`);
  const own = { ...env, ...layer.env };
  if (layer.command) return asOneTest(await runTimed(process.execPath, layer.command, own));

  const report = join(reports, `${layer.name}.json`);
  const { code, ...times } = await (layer.runner === "vitest"
    ? runVitest(layer, report, own)
    : runPlaywright(layer, report, own));
  const counts = readReport(layer, report);
  const isEmpty = counts.passed + counts.failed + counts.skipped === 0;
  // A runner can fail without a failed test, for example if it cannot load its configuration. A filter or a shard may
  // leave nothing to run.
  if ((code !== 0 && counts.failed === 0) || (isEmpty && !layer.only && !shard)) {
    counts.failed = 1;
    counts.failures = [
      { title: isEmpty ? "no test ran; see the output above" : "the run itself failed; see its output above" },
    ];
  }
  return { ...counts, ...times };
}

function asOneTest({ code, ...times }) {
  const failures = code === 0 ? [] : [{ title: "see the output above" }];
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0, failures, files: [], ...times };
}

function runVitest({ config, only = [] }, report, own) {
  const reporters = ["--reporter=default", `--reporter=${join(ROOT, "scripts/test/vitest-reporter.mjs")}`];
  const args = ["run", "--config", config, "--passWithNoTests", ...reporters, ...sharding(), ...only];
  return runTimed(join(ROOT, "node_modules/.bin/vitest"), args, { ...own, GATEHOUSE_TEST_REPORT: report });
}

function runPlaywright({ config, only = [] }, report, own) {
  const args = ["test", "--config", config, "--pass-with-no-tests", "--reporter=list,json", ...sharding(), ...only];
  return runTimed(join(ROOT, "e2e/node_modules/.bin/playwright"), args, {
    ...own,
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
  });
}

function sharding() {
  return shard === undefined ? [] : [`--shard=${shard}`];
}

/** Without a report the runner exited before it wrote one, and its exit code counts. */
function readReport({ runner, folders: [folder] }, file) {
  try {
    const report = JSON.parse(readFileSync(file, "utf8"));
    return runner === "vitest" ? report : readPlaywright(report, folder);
  } catch {
    return { passed: 0, failed: 0, skipped: 0, failures: [], files: [] };
  }
}
