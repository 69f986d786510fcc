// The layers of `npm test`, in the order in which they run. docs/decisions has what is tested where, and why.

/**
 * @typedef {object} Layer
 * @property {string} name What `--layer` and the scripts `test:<name>` call it.
 * @property {string} title
 * @property {number} budgetSeconds Wall time on two cores. More is a warning, since machines differ.
 * @property {readonly string[]} [command] Arguments of Node. A command passes or fails as a whole, and counts as one test.
 * @property {"vitest" | "playwright"} [runner]
 * @property {readonly string[]} [folders] Where the layer's test files are.
 * @property {RegExp} [files] Which files of those folders they are.
 * @property {string} [config] The runner's configuration.
 * @property {Record<string, string>} [env]
 * @property {boolean} [isBuild]
 * @property {boolean} [isFullOnly] Runs with `--full`, and when it is named.
 * @property {boolean} [needsBuild] Its tests start the built apps.
 */

const TEST = /\.test\.tsx?$/;
const SPEC = /\.spec\.ts$/;

/** @type {readonly Layer[]} */
export const LAYERS = [
  { name: "lint", title: "Lint", budgetSeconds: 15, command: ["scripts/lint.mjs"] },
  { name: "types", title: "Types", budgetSeconds: 25, command: ["scripts/typecheck.mjs"] },
  {
    name: "unit",
    title: "Unit and contract tests",
    budgetSeconds: 180,
    runner: "vitest",
    config: "vitest.config.ts",
    folders: ["packages", "apps", "scripts", "."],
    files: TEST,
  },
  { name: "build", title: "Build", budgetSeconds: 60, command: ["scripts/build.mjs"], isBuild: true },
  {
    name: "http",
    title: "Black-box tests over HTTP",
    budgetSeconds: 180,
    runner: "vitest",
    config: "e2e/vitest.config.ts",
    folders: ["e2e/http"],
    files: TEST,
    needsBuild: true,
  },
  {
    name: "mount",
    title: "A sample of them under next start",
    budgetSeconds: 30,
    runner: "vitest",
    config: "e2e/vitest.config.ts",
    folders: ["e2e/http"],
    files: TEST,
    env: { GATEHOUSE_TEST_MOUNT: "next" },
    needsBuild: true,
  },
  {
    name: "alone",
    title: "Tests that need the machine to themselves",
    budgetSeconds: 20,
    runner: "vitest",
    config: "e2e/vitest.config.ts",
    folders: ["e2e/alone"],
    files: TEST,
    env: { GATEHOUSE_TEST_ALONE: "1" },
    needsBuild: true,
  },
  {
    name: "browser",
    title: "Browser tests",
    budgetSeconds: 90,
    runner: "playwright",
    config: "e2e/playwright.config.ts",
    folders: ["e2e/browser"],
    files: SPEC,
    needsBuild: true,
  },
  {
    name: "big",
    title: "Browser tests over a million rows",
    budgetSeconds: 300,
    runner: "playwright",
    config: "e2e/playwright.big.config.ts",
    folders: ["e2e/big"],
    files: SPEC,
    needsBuild: true,
    isFullOnly: true,
  },
];

/** All of `npm test`, and all of `npm run test:full`. */
export const TOTAL_BUDGET_SECONDS = { test: 600, full: 2_400 };
