import { resolve } from "node:path";
import { defineConfig } from "vitest/config";

/** Features of our own server that `next start` does not have. */
const OF_OUR_SERVER = [
  "http/workers.test.ts",
  "http/own-server.test.ts",
  "http/next-process.test.ts",
  "http/stopping*.test.ts",
  "http/own-tls.full.test.ts",
  "http/secret-rotation.full.test.ts",
  "http/backups.test.ts",
  "http/prometheus.full.test.ts",
  "http/npm-start*.test.ts",
  // Next reads the body before it calls a handler.
  "http/slow-bodies.test.ts",
  // They kill processes, on whichever mount.
  "http/crash*.test.ts",
];
/** They build a server of their own, and start it on the mounts that they need. */
const OF_BOTH = ["http/extend.test.ts"];
/** They run programs of their own, such as `npm run dev` or the published packages: the mount makes no difference. */
const WITHOUT_MOUNT = [
  "http/npm-run-dev.full.test.ts",
  "http/tutorial.full.test.ts",
  "http/packaged-server.test.ts",
  "http/installed-server.full.test.ts",
  "http/versions.full.test.ts",
  "http/image.full.test.ts",
  "http/operator-guide.full.test.ts",
  "http/two-releases.full.test.ts",
  "http/proxies.full.test.ts",
  "http/sdk.full.test.ts",
  "http/testing-kit.test.ts",
];
/** Tests that measure time need the machine to themselves: GATEHOUSE_TEST_ALONE=1 runs them, after everything else. */
const alone = process.env["GATEHOUSE_TEST_ALONE"] === "1";
/** `npm run test:full`: also the files `*.full.test.ts`, which cost more than they find. */
const full = process.env["GATEHOUSE_TEST_FULL"] === "1";
const onNext = process.env["GATEHOUSE_TEST_MOUNT"] === "next";

/**
 * Under `next start`, whose handlers are the same: each kind of route once. `test:full` runs everything there that does
 * not need our server.
 */
const SAMPLE_OF_NEXT = ["http/both-mounts.test.ts"];

function included(): string[] {
  if (alone) return ["alone/**/*.test.ts"];
  return onNext && !full ? SAMPLE_OF_NEXT : ["http/**/*.test.ts"];
}

export default defineConfig({
  root: import.meta.dirname,
  test: {
    include: included(),
    exclude: [
      ...(onNext ? [...OF_OUR_SERVER, ...OF_BOTH, ...WITHOUT_MOUNT] : []),
      ...(full ? [] : ["**/*.full.test.ts"]),
    ],
    globalSetup: [resolve(import.meta.dirname, "harness/global-setup.ts")],
    // The files of a worker share the modules of the harness: loading them took longer than many files.
    isolate: false,
    setupFiles: [resolve(import.meta.dirname, "harness/each-file.ts")],
    env: { GATEHOUSE_ENV_FILE: "off" },
    // For the slowest machine: these end what hangs, and judge nothing.
    testTimeout: 90_000,
    hookTimeout: 300_000,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    // A file waits for its servers half of the time, so twice as many as there are cores keep two busy.
    maxWorkers: alone ? 1 : 4,
  },
});
