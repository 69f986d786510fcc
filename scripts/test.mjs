// npm test: lint, types, unit and contract tests, the build, black-box tests over HTTP and browser tests, with one total at the end.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { findChromium } from "./chromium.mjs";
import { build, environment, install, isNodeAtLeast, pnpm, ROOT, requireNode, run } from "./steps.mjs";

requireNode();
await install();
const chromium = await findChromium();

const reports = mkdtempSync(join(tmpdir(), "gatehouse-test-"));
// The tests choose their own addresses and databases, so the caller's settings must not leak in.
const env = environment({ CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_NAME: join(reports, "browser.json"), GATEHOUSE_ENV_FILE: "off" });
for (const name of [
  "GATEHOUSE_ISSUER",
  "GATEHOUSE_ADMIN_URL",
  "GATEHOUSE_DATA_DIR",
  "GATEHOUSE_SECRET",
  "GATEHOUSE_CONSOLE_CLIENT_SECRET",
  "GATEHOUSE_CONSOLE_COOKIE_KEY",
  "GATEHOUSE_API_ENVIRONMENTS",
  "DATABASE_URL",
  "PORT",
  "ADMIN_PORT",
])
  delete env[name];

const MESSAGE_LINES = 15;
const MESSAGE_WIDTH = 300;
const total = { passed: 0, failed: 0, skipped: 0 };
const failures = [];

if (isNodeAtLeast(20, 19)) {
  await check("Lint", pnpm("--silent", "lint"));
} else {
  await check("Lint", pnpm("exec", "biome", "check", "."));
  console.log("Skipped: the checks of imports and dead code need Node 20.19.");
  add({ skipped: 1 });
}
await check("Types", pnpm("--silent", "typecheck"));
await suite("Unit and contract tests", pnpm("exec", "vitest", "run", ...vitestReport("unit.json")), vitestSum("unit.json"));
await build();
await suite(
  "Black-box tests over HTTP",
  pnpm("exec", "vitest", "run", "--config", "e2e/vitest.config.ts", ...vitestReport("http.json")),
  vitestSum("http.json"),
);
await suite(
  "The same, under next start",
  pnpm("exec", "vitest", "run", "--config", "e2e/vitest.config.ts", ...vitestReport("http-next.json")),
  vitestSum("http-next.json"),
  { GATEHOUSE_TEST_MOUNT: "next" },
);
await suite(
  "Tests that measure time, alone",
  pnpm("exec", "vitest", "run", "--config", "e2e/vitest.config.ts", ...vitestReport("alone.json")),
  vitestSum("alone.json"),
  { GATEHOUSE_TEST_ALONE: "1" },
);
await suite(
  "Browser tests",
  pnpm("--filter", "@gatehouse/e2e", "exec", "playwright", "test", "--reporter=list,json"),
  playwrightSum("browser.json"),
);

rmSync(reports, { recursive: true, force: true });
if (failures.length > 0) console.log(`\nFailed:\n${failures.map((title) => `  ${title}`).join("\n")}`);
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : "";
console.log(`\n${total.passed} passed, ${total.failed} failed${skipped}`);
process.exit(total.failed === 0 ? 0 : 1);

/** A step that passes or fails as a whole; it counts as one test. */
async function check(name, command) {
  console.log(`\n› ${name}`);
  const { code } = await run(...command, { env });
  add(code === 0 ? { passed: 1 } : { failed: 1, failures: [name] });
}

/** A step with its own count. A runner that fails without a failed test (it could not load a file) counts as one failure. */
async function suite(name, command, sum, more = {}) {
  console.log(`\n› ${name}`);
  const { code } = await run(...command, { env: { ...env, ...more } });
  const { failures: titles = [], ...counts } = sum();
  if (code !== 0 && counts.failed === 0) {
    counts.failed = 1;
    titles.push("the run itself failed; see its output above");
  }
  add({ ...counts, failures: titles.map((title) => `${name}: ${title}`) });
}

function add({ passed = 0, failed = 0, skipped = 0, failures: titles = [] }) {
  total.passed += passed;
  total.failed += failed;
  total.skipped += skipped;
  failures.push(...titles);
}

function vitestReport(file) {
  return ["--reporter=default", "--reporter=json", `--outputFile.json=${join(reports, file)}`];
}

function vitestSum(file) {
  return () => {
    const report = read(file);
    const results = report?.testResults ?? [];
    const failed = results.flatMap(({ name, assertionResults }) =>
      assertionResults
        .filter(({ status }) => status === "failed")
        .map(({ fullName, failureMessages }) => `${relative(ROOT, name)} › ${fullName}${why(failureMessages)}`),
    );
    // A file that fails as a whole, in a hook or when it is loaded, has no failed test.
    const files = results
      .filter(({ status, assertionResults }) => status === "failed" && !assertionResults.some((test) => test.status === "failed"))
      .map(({ name, message }) => `${relative(ROOT, name)}${why([message])}`);
    return {
      passed: report?.numPassedTests ?? 0,
      failed: (report?.numFailedTests ?? 0) + files.length,
      skipped: report?.numPendingTests ?? 0,
      failures: [...failed, ...files],
    };
  };
}

function playwrightSum(file) {
  return () => {
    const report = read(file);
    const stats = report?.stats;
    return {
      passed: stats?.expected ?? 0,
      failed: (stats?.unexpected ?? 0) + (stats?.flaky ?? 0),
      skipped: stats?.skipped ?? 0,
      failures: (report?.suites ?? []).flatMap(failedSpecs),
    };
  };
}

/** The failed and flaky specs of a suite of Playwright's report and of the suites in it. */
function failedSpecs({ suites = [], specs = [] }) {
  const failed = specs.filter(({ tests }) => tests.some(({ status }) => status === "unexpected" || status === "flaky"));
  const messages = ({ tests }) =>
    tests.flatMap(({ results }) => results.flatMap(({ errors = [] }) => errors.map(({ message }) => message)));
  return [...failed.map((spec) => `${spec.file} › ${spec.title}${why(messages(spec))}`), ...suites.flatMap(failedSpecs)];
}

/** The beginning of each error, below the name of its test, so that the end of a log is enough to see what happened. */
function why(messages) {
  const lines = messages.flatMap((message) =>
    stripVTControlCharacters(message ?? "")
      .split("\n")
      .slice(0, MESSAGE_LINES),
  );
  return lines.map((line) => `\n      ${line.slice(0, MESSAGE_WIDTH)}`).join("");
}

function read(file) {
  try {
    return JSON.parse(readFileSync(join(reports, file), "utf8"));
  } catch {
    return undefined; // the runner exited before it wrote a report; its exit code counts
  }
}
