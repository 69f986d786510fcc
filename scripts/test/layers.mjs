// The layers of `npm test`, in the order in which they run. docs/decisions has what is tested where, and why.

const TEST = /\.test\.tsx?$/;
const SPEC = /\.spec\.ts$/;

/** @type {readonly import("./layers.d.mts").Layer[]} */
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
  { name: "build", title: "Build", budgetSeconds: 45, command: ["scripts/build.mjs"], isBuild: true },
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
    budgetSeconds: 15,
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
    budgetSeconds: 120,
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
  {
    name: "ops",
    title: "Load and fault tests, in their short form",
    budgetSeconds: 600,
    runner: "vitest",
    config: "e2e/ops/vitest.config.ts",
    folders: ["e2e/ops"],
    files: TEST,
    needsBuild: true,
    isFullOnly: true,
  },
];

const TOTAL_BUDGET_SECONDS = { test: 600, full: 2_400 };

/** The budgets of a whole run: of each layer and the total of `npm test`, and the total of `npm run test:full`. */
export const budgetsOf = (run) => (name) => {
  if (name === "total") return TOTAL_BUDGET_SECONDS[run];
  return run === "test" ? LAYERS.find((layer) => layer.name === name)?.budgetSeconds : undefined;
};
