import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import {
  type CostCounter,
  countPostgres,
  countSqlite,
  type PostgresCost,
  type SqliteCost,
} from "@gatehouse/db/testing/request-costs";
import { startTestApp } from "../start/testing/test-app.ts";
import { HOT_PATHS, type HotPath, openHotPaths, type Prepare } from "./hot-paths.ts";

export type Costs<Cost> = Record<HotPath, Cost>;

/** What each hot path asks of a new SQLite database. */
export async function measureSqlite(): Promise<Costs<SqliteCost>> {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-costs-"));
  const url = `file:${join(folder, "gatehouse.db")}`;
  return measure(url, () => countSqlite(url)).finally(() => rmSync(folder, { recursive: true, force: true }));
}

/** What each hot path asks of an empty PostgreSQL database. */
export const measurePostgres = (url: string): Promise<Costs<PostgresCost>> => measure(url, countPostgres);

async function measure<Cost>(url: string, count: () => CostCounter<Cost>): Promise<Costs<Cost>> {
  const letTimersRun = holdTimers();
  try {
    const { app, close } = await startTestApp({ DATABASE_URL: url, GATEHOUSE_MIGRATE: "auto" });
    // No jobs and no scheduled work meanwhile; requests are answered as before.
    app.beginDraining();
    const counter = count();
    try {
      return await measureEach(await openHotPaths(app), counter);
    } finally {
      counter.stop();
      await close();
    }
  } finally {
    letTimersRun();
  }
}

async function measureEach<Cost>(paths: Record<HotPath, Prepare>, counter: CostCounter<Cost>): Promise<Costs<Cost>> {
  const costs: Partial<Costs<Cost>> = {};
  for (const name of HOT_PATHS) {
    // The first one of its kind compiles statements and fills the caches of the configuration.
    await (await paths[name]())();
    const request = await paths[name]();
    await setImmediate(); // a turn of the event loop of its own
    costs[name] = await counter.costOf(request);
  }
  return costs as Costs<Cost>;
}

/**
 * Keeps timers of a second or more from ending until the returned function is called: statistics are written by them,
 * perhaps in the commit of a request that is measured.
 */
function holdTimers(): () => void {
  const { setTimeout: original } = globalThis;
  const held = (...args: Parameters<typeof setTimeout>) => {
    const timer = original(...args);
    if (Number(args[1]) >= SECOND_MS) clearTimeout(timer);
    return timer;
  };
  globalThis.setTimeout = Object.assign(held, original);
  return () => {
    globalThis.setTimeout = original;
  };
}

const SECOND_MS = 1000;
