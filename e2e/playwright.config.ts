import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";

const known = [
  process.env["CHROMIUM_PATH"],
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];
/** The system's browser, or Playwright's own. */
const executablePath = known.find((path) => path !== undefined && existsSync(path));

/** `npm run test:full`: also the files `*.full.spec.ts`, which cost more than they find. */
const full = process.env["GATEHOUSE_TEST_FULL"] === "1";

export default defineConfig({
  testDir: "browser",
  ...(full ? {} : { testIgnore: "**/*.full.spec.ts" }),
  globalSetup: "./browser/global-setup.ts",
  outputDir: "test-results",
  // A browser waits for the servers a third of the time, so one more than there are cores keeps two busy.
  workers: 3,
  fullyParallel: true,
  forbidOnly: true,
  // For the slowest machine: these end what hangs, and judge nothing.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  reporter: [["list"]],
  use: {
    browserName: "chromium",
    screenshot: "only-on-failure",
    contextOptions: { reducedMotion: "reduce" },
    launchOptions: {
      ...(executablePath === undefined ? {} : { executablePath }),
      args: [
        ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
        "--disable-gpu", // it would be emulated
      ],
    },
  },
});
