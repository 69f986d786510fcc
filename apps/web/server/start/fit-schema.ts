import { setTimeout as pause } from "node:timers/promises";
import { type Database, SchemaError } from "@gatehouse/db";
import type { Logger } from "pino";

const LOOK_EVERY_MS = 2000;
const SAY_EVERY_MS = 60_000;
const WAIT_AT_MOST_MS = 10 * 60_000;
const EX_TEMPFAIL = 75;

export type Waiting = {
  /** `auto` migrates; `check` leaves an existing schema alone and waits until somebody else did. */
  mode: "auto" | "check";
  log: Pick<Logger, "warn" | "info">;
  /** Called once, when waiting begins; answers with what is called when it ends. */
  onWait: () => Promise<() => Promise<void>>;
  lookEveryMs?: number;
  waitAtMostMs?: number;
};

/**
 * Resolves when the schema of the database fits this program. An empty database is always migrated, since there is nothing to
 * endanger. Throws SchemaError when the schema does not go together with this program, or stays older for ten minutes. OP-62.
 */
export async function fitSchema(
  database: Pick<Database, "schema" | "migrate">,
  { mode, log, onWait, lookEveryMs = LOOK_EVERY_MS, waitAtMostMs = WAIT_AT_MOST_MS }: Waiting,
): Promise<void> {
  const { kind, missing } = await database.schema();
  if (kind === "newer") log.warn("the database's schema is newer than this program, and lets it run");
  if (kind === "current" || kind === "newer") return;
  if (kind === "empty" || mode === "auto") {
    const migrations = await database.migrate();
    log.info({ migrations }, "the database was brought up to date");
    return;
  }

  const stopWaiting = await onWait();
  try {
    const began = performance.now();
    for (let said = Number.NEGATIVE_INFINITY; performance.now() - began < waitAtMostMs; await pause(lookEveryMs)) {
      if ((await database.schema()).kind !== "older") return;
      if (performance.now() - said < SAY_EVERY_MS) continue;
      said = performance.now();
      log.warn({ missing }, "not ready: the database's schema is older than this program; waiting for `gatehouse migrate`");
    }
    throw new SchemaError(
      `The database's schema has been older than this program for ${waitAtMostMs / 60_000} minutes (missing: ${missing.join(", ")}). Run \`gatehouse migrate\`, or set GATEHOUSE_MIGRATE=auto.`,
      EX_TEMPFAIL,
    );
  } finally {
    await stopWaiting();
  }
}
