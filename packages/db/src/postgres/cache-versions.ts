import { findStoreUnavailable } from "@gatehouse/auth";
import { CACHES, type CacheName, type CacheVersions, type KnownVersions, type VersionReader } from "../cache/caches.ts";
import { currentTurn } from "../cache/turn.ts";
import type { Statement } from "../query/db.ts";

const NAMES = Object.keys(CACHES) as CacheName[];
/** More changes than this since the last answer empty every cache: bounds what one answer costs. */
const MAX_CHANGES = 100;
/** How long the note of a change is kept. */
const KEPT_SECONDS = 600;
/** After an error other than that the server cannot serve, nothing is cached for this long. */
const PAUSE_MS = 10_000;

/**
 * $1 and $2 are of the last answer's snapshot: what that snapshot lacks has an id from its end on ($1), or was in
 * progress ($2). ORDER BY and LIMIT keep the planner on the index, however many rows it expects.
 */
const QUESTION = {
  name: "cache_changes",
  sql: `SELECT pg_current_snapshot()::text, e."swept"::text,
    concat_ws(' ', e."id", 'cache_changes'::regclass::oid, extract(epoch FROM pg_postmaster_start_time())),
    array_to_string(ARRAY(
      (SELECT "cache" FROM "cache_changes" WHERE "xid" >= $1::xid8 ORDER BY "xid" LIMIT ${MAX_CHANGES})
      UNION ALL SELECT "cache" FROM "cache_changes" WHERE "xid" = ANY($2::xid8[])
    ), ' ')
    FROM "cache_epoch" e`,
};
const NEW_EPOCH = {
  name: "cache_epoch",
  sql: `INSERT INTO "cache_epoch" DEFAULT VALUES ON CONFLICT DO NOTHING`,
  params: [],
};
/**
 * Deletes notes of transactions that ended before every one in progress, so that later snapshots lack none of them, and
 * records the highest id in `swept`. Ids that were not assigned yet come from a dump of another server; so may `swept`.
 */
const SWEEP = {
  name: "sweep cache_changes",
  sql: `WITH gone AS (
      DELETE FROM "cache_changes" WHERE "created_at" < extract(epoch FROM statement_timestamp()) - ${KEPT_SECONDS}
        AND ("xid" < pg_snapshot_xmin(pg_current_snapshot()) OR "xid" >= pg_snapshot_xmax(pg_current_snapshot())) RETURNING "xid"
    ), highest AS (
      SELECT "xid" FROM gone WHERE "xid" < pg_snapshot_xmin(pg_current_snapshot()) ORDER BY "xid" DESC LIMIT 1
    ), marked AS (
      UPDATE "cache_epoch" e SET "swept" = CASE WHEN e."swept" < pg_snapshot_xmin(pg_current_snapshot())
        THEN greatest(e."swept", h."xid") ELSE h."xid" END FROM highest h
    ) SELECT count(*) FROM gone`,
  params: [],
};
/** The id of no transaction. */
const NEVER = String(2n ** 64n - 1n);

/**
 * `server` differs if transaction ids of one answer can mean others in the next: after a crash, on another server, in a
 * restored database.
 */
type Answer = { xmin: string; xmax: string; inProgress: string[]; swept: string; server: string };

/**
 * Asks the database which caches changed since the last answer: those that a transaction changed which the last
 * answer's snapshot lacks, and this one's has. That is exact in whatever order transactions commit. All reads of one
 * turn of the event loop share a question, which is sent when the turn ends. See
 * docs/decisions/0032-postgresql-caches.md.
 */
export function createVersionReader(send: (statement: Statement) => Promise<unknown[][]>): VersionReader {
  let last: Answer | undefined;
  let versions = Object.fromEntries(NAMES.map((name) => [name, 0])) as CacheVersions;
  let next: Promise<KnownVersions> | undefined;
  let pausedUntil = 0;
  /** How many requests had arrived when the answer came whose callers are running now. */
  let answering: number | undefined;

  function raise(changed: (name: CacheName) => boolean): void {
    versions = Object.fromEntries(
      NAMES.map((name) => [name, versions[name] + (changed(name) ? 1 : 0)]),
    ) as CacheVersions;
  }

  function forget(): void {
    last = undefined;
    raise(() => true);
  }

  function learn(since: Answer | undefined, answer: Answer, changes: string[]): void {
    last = answer;
    if (!since || since.server !== answer.server || changes.length >= MAX_CHANGES || isSwept(since, answer))
      raise(() => true);
    else if (changes.length > 0) raise((name) => changes.includes(CACHES[name]));
  }

  /** Returns whether there is an epoch. */
  async function askOnce(): Promise<boolean> {
    const since = last;
    const [row] = await send({ ...QUESTION, params: [since?.xmax ?? NEVER, since?.inProgress ?? []] });
    if (!row) return false;
    const [snapshot, swept = "", server = "", changes] = row as string[];
    learn(since, { ...parseSnapshot(snapshot), swept, server }, changes ? changes.split(" ") : []);
    return true;
  }

  async function ask(): Promise<KnownVersions> {
    try {
      if (!(await askOnce())) {
        forget();
        await send(NEW_EPOCH);
        if (!(await askOnce())) return undefined;
      }
      stayOpen();
      return versions;
    } catch (cause) {
      forget();
      if (findStoreUnavailable(cause)) throw cause;
      pausedUntil = performance.now() + PAUSE_MS;
      return undefined;
    }
  }

  /**
   * Those who waited for an answer go on before anything else runs, and had asked before it was sent. Until then it
   * answers their further reads too, unless a request arrives meanwhile: one that waited behind theirs on its
   * connection.
   */
  function stayOpen(): void {
    answering = currentTurn.requests;
    process.nextTick(() => {
      answering = undefined;
    });
  }

  return {
    read() {
      if (answering === currentTurn.requests) return versions;
      if (next) return next;
      if (performance.now() < pausedUntil) return undefined;
      next = new Promise((resolve) => {
        setImmediate(() => {
          next = undefined;
          resolve(ask());
        });
      });
      return next;
    },
    latest: () => last && versions,
    async sweep() {
      const [row] = await send(SWEEP);
      return Number(row?.[0] ?? 0);
    },
  };
}

/**
 * `xmin:xmax:` and the ids in progress between them.
 * https://www.postgresql.org/docs/current/functions-info.html#FUNCTIONS-PG-SNAPSHOT-PARTS
 */
function parseSnapshot(snapshot = ""): Pick<Answer, "xmin" | "xmax" | "inProgress"> {
  const [xmin = "", xmax = "", inProgress] = snapshot.split(":");
  return { xmin, xmax, inProgress: inProgress ? inProgress.split(",") : [] };
}

/** Whether a change was deleted that the earlier snapshot lacks. Each of those has an id of at least its `xmin`. */
function isSwept(since: Answer, answer: Answer): boolean {
  return answer.swept !== since.swept && BigInt(answer.swept) >= BigInt(since.xmin);
}
