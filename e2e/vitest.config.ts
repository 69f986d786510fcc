import { resolve } from "node:path";
import { defineConfig } from "vitest/config";

/** What only our own server does, and `next start` knows nothing of. */
const OF_OUR_SERVER = ["http/workers.test.ts", "http/own-server.test.ts"];
const onFramework = process.env["GATEHOUSE_TEST_MOUNT"] === "next";

export default defineConfig({
  root: import.meta.dirname,
  test: {
    include: ["http/**/*.test.ts"],
    exclude: onFramework ? OF_OUR_SERVER : [],
    globalSetup: [resolve(import.meta.dirname, "harness/global-setup.ts")],
    testTimeout: 30_000,
    hookTimeout: 120_000,
    maxWorkers: 3,
  },
});
