import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { alias: { "@": `${import.meta.dirname}/apps/admin/src` } }, // as in apps/admin/tsconfig.json
  test: {
    include: ["packages/**/*.test.ts", "apps/**/*.test.ts", "apps/**/*.test.tsx", "scripts/*.test.ts", "*.test.ts"],
    exclude: ["**/node_modules/**", "**/.next/**", "**/dist/**"],
    globalSetup: ["./packages/db/src/testing/postgres.ts"],
    // No test may touch the .data of the repository, which may hold somebody's installation.
    env: { GATEHOUSE_ENV_FILE: "off", GATEHOUSE_DATA_DIR: join(tmpdir(), `gatehouse-unit-${process.pid}`) },
    // For the slowest machine: these end what hangs, and judge nothing.
    testTimeout: 60_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 20_000 } },
  },
});
