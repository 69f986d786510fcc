import { resolve } from "node:path";
import { defineConfig } from "vitest/config";

/** The load and fault tests, which `npm run ops` runs by name, and `npm run test:full` in their short form. */
export default defineConfig({
  root: resolve(import.meta.dirname, ".."),
  test: {
    include: ["ops/*.test.ts"],
    globalSetup: [resolve(import.meta.dirname, "global-setup.ts")],
    env: { GATEHOUSE_ENV_FILE: "off" },
    // They end what hangs: a long form says itself how long it runs.
    testTimeout: 4 * 3_600_000,
    hookTimeout: 600_000,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    maxWorkers: 1,
    disableConsoleIntercept: true,
  },
});
