import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";

/** `npm run test:full`: also the files `*.full.test.ts`, which cost more than they find. */
const full = process.env["GATEHOUSE_TEST_FULL"] === "1";
const exclude = ["**/node_modules/**", "**/.next/**", "**/dist/**", ...(full ? [] : ["**/*.full.test.*"])];

export default defineConfig({
  logLevel: "error", // libraries without their sources are nothing to warn of
  resolve: { alias: { "@": `${import.meta.dirname}/apps/admin/src` } }, // as in apps/admin/tsconfig.json
  test: {
    globalSetup: ["./packages/db/src/testing/setup.ts"],
    // No test may touch the .data of the repository, which may hold somebody's installation.
    env: { GATEHOUSE_ENV_FILE: "off", GATEHOUSE_DATA_DIR: join(tmpdir(), `gatehouse-unit-${process.pid}`) },
    // For the slowest machine: these end what hangs, and judge nothing.
    testTimeout: 60_000,
    hookTimeout: 180_000,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    // Most tests wait for a database, so one more than there are cores.
    maxWorkers: availableParallelism() + 1,
    // No module keeps what another test file could notice, so that files share them. Loading them took longer than many
    // tests.
    isolate: false,
    // Imports its JSON in a way that Node does not allow.
    server: { deps: { inline: [/@actions\/workflow-parser/] } },
    // Transformed modules are kept in node_modules: a run of one file takes half as long.
    experimental: { fsModuleCache: true },
    include: [
      "packages/**/*.test.ts",
      "apps/**/*.test.{ts,tsx}",
      "scripts/**/*.test.ts",
      "bench/*.test.ts",
      "*.test.ts",
    ],
    exclude,
  },
});
