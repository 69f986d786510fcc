import { resolve } from "node:path";
import { defineConfig } from "vitest/config";

export default defineConfig({
  root: import.meta.dirname,
  test: {
    include: ["http/**/*.test.ts"],
    globalSetup: [resolve(import.meta.dirname, "harness/global-setup.ts")],
    testTimeout: 30_000,
    hookTimeout: 120_000,
    maxWorkers: 3,
  },
});
