import type { Database } from "@gatehouse/db/database";
import { deleteFact, readFact, writeFact } from "@gatehouse/db/facts";
import type { Db, ReadDb } from "@gatehouse/db/query/db";
import type { Log } from "./log.ts";

/** In maintenance, servers answer writes with 503 and go on reading. Its value is the Unix time of its begin. OP-55. */
export const MAINTENANCE = "maintenance";
/** The installation is in another database now: a {@link Move} as JSON. */
export const MOVED = "moved";

/** Servers look this often whether maintenance began or ended. */
export const FOLLOW_MAINTENANCE_MS = 2_000;

/** Where the installation was moved to. `to` has no password. */
export type Move = { to: string; at: number };

/** This database is the one that an installation was moved from. */
class MovedError extends Error {
  override readonly name = "MovedError";
  /** EX_CONFIG of sysexits.h. */
  readonly exitCode = 78;

  constructor({ to, at }: Move) {
    super(
      `The installation was moved to ${to} at ${new Date(at * 1000).toISOString()}, and this database is the old one. ` +
        "Set DATABASE_URL to the new one. If nothing was written there yet, `gatehouse move --undo --to <url>` takes it back.",
    );
  }
}

/** Turns maintenance on or off, for every server of the database. */
export async function setMaintenance(on: boolean, { db, now }: { db: Db; now: () => number }): Promise<void> {
  if (on) await writeFact(db, MAINTENANCE, String(now()));
  else await deleteFact(db, MAINTENANCE);
}

/** Since when the installation is in maintenance, in Unix seconds; undefined if it is not. */
export async function maintenanceSince(db: ReadDb): Promise<number | undefined> {
  const since = await readFact(db, MAINTENANCE);
  return since === undefined ? undefined : Number(since);
}

/** Throws {@link MovedError} for the old database of a move. */
export async function assertNotMoved(database: Pick<Database, "schema" | "db">): Promise<void> {
  if ((await database.schema()).kind === "empty") return;
  const moved = await readFact(database.db, MOVED);
  if (moved !== undefined) throw new MovedError(JSON.parse(moved)); // written by a move
}

/**
 * Refuses writes in this process while the installation is in maintenance, or once it was moved. Resolves after the
 * first look.
 */
export async function followMaintenance(
  { background, refuseWrites }: Pick<Database, "background" | "refuseWrites">,
  log: Log,
): Promise<{ stop(): void }> {
  let refusing = false;

  async function look(): Promise<void> {
    const isMoved = (await readFact(background, MOVED)) !== undefined;
    const refuse = isMoved || (await maintenanceSince(background)) !== undefined;
    if (refuse === refusing) return;
    refusing = refuse;
    refuseWrites(refuse);
    if (isMoved) log.error({}, "the installation was moved to another database: restart this server with it");
    else log.info({}, refuse ? "maintenance began: writes are answered with 503" : "maintenance ended");
  }

  await look();
  const timer = setInterval(() => {
    look().catch((error: unknown) => log.warn({ err: error }, "whether maintenance is on could not be read"));
  }, FOLLOW_MAINTENANCE_MS).unref();
  return { stop: () => clearInterval(timer) };
}
