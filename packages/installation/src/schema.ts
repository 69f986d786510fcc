import { setTimeout as pause } from "node:timers/promises";
import type { Database } from "@gatehouse/db/database";
import { SchemaError } from "@gatehouse/db/migrations/plan";
import { COMMAND, START } from "@gatehouse/runtime/distribution";
import type { Log } from "./log.ts";

const CHECK_EVERY_MS = 2000;
const LOG_EVERY_MS = 60_000;
/** As long as the startup probe of the Helm chart, which would end it. OP-07 */
const WAIT_AT_MOST_MS = 10 * 60_000;
const EX_TEMPFAIL = 75;

export type Waiting = {
  /** Called once, when waiting starts, with the migrations that are missing. Returns what is called when it ends. */
  onWait: (missing: readonly string[]) => Promise<() => Promise<void>>;
  checkEveryMs?: number;
  waitAtMostMs?: number;
};

type Options = {
  /**
   * `auto` migrates an existing schema; `check` leaves it alone. An empty database is always migrated: there is nothing
   * to lose.
   */
  mode: "auto" | "check";
  log: Log;
  /** With `check`: how to wait until somebody else has migrated. Without it, an older schema is an error at once. */
  wait?: Waiting | undefined;
};

type Migrated = Pick<Database, "schema" | "migrate">;

/**
 * Resolves when the database's schema fits this program. Throws SchemaError when the two are not compatible, or when
 * the schema is older and nobody migrates it within ten minutes. OP-62.
 */
export async function migrateOrWait(database: Migrated, { mode, log, wait }: Options): Promise<void> {
  const { kind, missing } = await database.schema();
  if (kind === "newer") log.warn({}, "the database's schema is newer than this program, and compatible with it");
  if (kind === "current" || kind === "newer") return;
  if (kind === "older" && mode === "check") return wait ? waitForSchema(database, missing, log, wait) : fail(missing);
  log.info({ migrations: await database.migrate() }, "the database was migrated");
}

/** For a command: throws SchemaError unless the schema fits. With `create`, an empty database is migrated. OP-62. */
export async function requireSchema(database: Migrated, { create }: { create: boolean }): Promise<void> {
  const { kind, missing } = await database.schema();
  if (kind === "older") return fail(missing);
  if (kind !== "empty") return;
  if (!create)
    throw new SchemaError(
      `There is no installation in this database yet. Run \`${START}\` or \`${COMMAND} bootstrap\` first.`,
    );
  await database.migrate();
}

function fail(missing: readonly string[]): never {
  throw new SchemaError(
    `The database's schema is older than this program (missing: ${missing.join(", ")}). Run \`${COMMAND} migrate\` first.`,
  );
}

async function waitForSchema(
  database: Pick<Database, "schema">,
  missing: readonly string[],
  log: Log,
  { onWait, checkEveryMs = CHECK_EVERY_MS, waitAtMostMs = WAIT_AT_MOST_MS }: Waiting,
): Promise<void> {
  const stopWaiting = await onWait(missing);
  try {
    const started = performance.now();
    for (let logged = Number.NEGATIVE_INFINITY; performance.now() - started < waitAtMostMs; await pause(checkEveryMs)) {
      if ((await database.schema()).kind !== "older") return;
      if (performance.now() - logged < LOG_EVERY_MS) continue;
      logged = performance.now();
      log.warn(
        { missing },
        "not ready: the database's schema is older than this program; waiting for `gatehouse migrate`",
      );
    }
    throw new SchemaError(
      `The database's schema has been older than this program for ${waitAtMostMs / 60_000} minutes (missing: ${missing.join(", ")}). Run \`gatehouse migrate\`, or set GATEHOUSE_MIGRATE=auto.`,
      EX_TEMPFAIL,
    );
  } finally {
    await stopWaiting();
  }
}
