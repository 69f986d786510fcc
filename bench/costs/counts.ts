import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { startPostgresServer } from "../../packages/db/src/testing/postgres-server.ts";
import type { PostgresCost, SqliteCost } from "../../packages/db/src/testing/request-costs.ts";
import { ROOT } from "../processes.ts";

export type Counts = { sqlite: Record<string, SqliteCost>; postgres: Record<string, PostgresCost> };

/** What each hot path asks of both engines, as the test of the budgets counts it. */
export async function countHotPaths(): Promise<Counts> {
  const postgres = await startPostgresServer();
  try {
    const args = ["--import", "tsx", "server/testing/print-costs.ts", `${postgres.url}/postgres`];
    const { stdout } = await promisify(execFile)(process.execPath, args, {
      cwd: join(ROOT, "apps/web"),
      timeout: 120_000,
    });
    return JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
  } finally {
    await postgres.stop();
  }
}
