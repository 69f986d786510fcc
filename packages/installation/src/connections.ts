import type { Database } from "@gatehouse/db/database";
import { connectionLimit } from "@gatehouse/db/postgres/connection-limit";
import type { Log } from "./log.ts";
import type { Settings } from "./settings/settings.ts";

/** Of the pool for scheduled work and the console, and of the process that runs webhook handlers. */
const BACKGROUND = 2;
const OF_HANDLERS = 4;
const DEFAULT_POOL = 10;

type Part = Pick<Settings, "databasePool" | "process">;

/**
 * The connections to PostgreSQL that one server with these settings opens at most: those of its processes, of the Next
 * that each of them starts with the first React page, and of its webhook handlers. OP-14, OP-26
 */
export function connectionsOf({ databasePool, process }: Part): number {
  const { workers } = process;
  const each = (databasePool ?? DEFAULT_POOL) + BACKGROUND;
  const first = workers > 1 ? each : 0; // serves nothing itself
  return first + workers * 2 * each + OF_HANDLERS;
}

/** Warns if the database does not allow what this server alone can open. OP-14 */
export async function reportConnections({ engine }: Pick<Database, "engine">, settings: Part, log: Log): Promise<void> {
  if (engine.dialect !== "postgres") return;
  const allowed = await connectionLimit(engine.pool);
  const wanted = connectionsOf(settings);
  if (allowed !== undefined && wanted > allowed)
    log.warn(
      { wanted, allowed },
      "this server can open more connections than PostgreSQL allows, and requests then get 503: lower DATABASE_POOL or WEB_CONCURRENCY, or raise max_connections",
    );
}
