import pg from "pg";
import { isBackend } from "../postgres/connection-limit.ts";
import { ignoreError, types } from "../postgres/pool.ts";
import { createStatementNames, tryNames } from "../postgres/statement-names.ts";

/** What a connection to PostgreSQL shows of the server, and of a pooler between. Seconds are Unix seconds. */
export type PostgresFacts = {
  /** As the server writes it: "15.14 (Debian 15.14-0+deb12u1)". */
  version: string;
  /** 150014 for 15.14. */
  versionNumber: number;
  /** How much the server's clock is ahead of this machine's. */
  skewSeconds: number;
  /** How wrong `skewSeconds` can be: half of the time that asking took. */
  skewErrorSeconds: number;
  encoding: string;
  collation: {
    name: string;
    /** The version of the operating system's or ICU's rules, when the database was made and now; null without one. */
    recorded: string | null;
    actual: string | null;
  };
  /** A standby, which accepts no writes. */
  isStandby: boolean;
  /** Connections that this account may open, as the server, the database and the account limit them; -1 for no limit. */
  connections: { server: number; database: number; account: number; used: number };
  /** Connection poolers give each transaction another connection. */
  isPooled: boolean;
  keepsPreparedStatements: boolean;
  /** What the server does with statements that take too long. Names of the settings that are 0, which is no limit. */
  missingLimits: string[];
  /** Settings with which a committed transaction can be lost. */
  unsafeSettings: string[];
  /** The same for two connections to one database, whatever their addresses. */
  identity: string;
  /** Where the log is: of a standby, what it has replayed. */
  logPosition: string;
};

const FACTS = `
  SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number,
    extract(epoch from clock_timestamp())::float8 AS now, pg_encoding_to_char(d.encoding) AS encoding,
    coalesce(to_jsonb(d)->>'datlocale', to_jsonb(d)->>'daticulocale', d.datcollate) AS collation,
    to_jsonb(d)->>'datcollversion' AS recorded, pg_database_collation_actual_version(d.oid) AS actual,
    pg_is_in_recovery() AS standby,
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
      - coalesce(current_setting('reserved_connections', true)::int, 0) AS server_limit,
    d.datconnlimit AS database_limit, r.rolconnlimit AS account_limit,
    (SELECT count(*)::int FROM pg_stat_activity WHERE usesysid IS NOT NULL) AS used,
    pg_backend_pid() AS backend,
    array(SELECT name FROM unnest(array['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']) AS name
          WHERE current_setting(name) = '0') AS unlimited,
    array(SELECT name FROM unnest(array['fsync', 'full_page_writes', 'synchronous_commit']) AS name
          WHERE current_setting(name) = 'off') AS unsafe,
    extract(epoch from pg_postmaster_start_time())::text || '/' || d.oid AS identity,
    CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END::text AS position
  FROM pg_database d, pg_roles r WHERE d.datname = current_database() AND r.rolname = current_user`;

type Row = {
  version: string;
  number: number;
  now: number;
  encoding: string;
  collation: string;
  recorded: string | null;
  actual: string | null;
  standby: boolean;
  server_limit: number;
  database_limit: number;
  account_limit: number;
  used: number;
  backend: number;
  unlimited: string[];
  unsafe: string[];
  identity: string;
  position: string | null;
};

const CONNECT_TIMEOUT_MS = 5_000;
const ANSWER_TIMEOUT_MS = 10_000;

/**
 * Reads them over two connections of its own, without the limits of the server's pool, which a pooler may reject. Throws
 * what the driver throws if there is no connection.
 */
export async function readPostgresFacts(url: string): Promise<PostgresFacts> {
  return withClient(url, (first) =>
    withClient(url, async (second) => {
      const before = Date.now();
      const { rows } = await first.query<Row>(FACTS);
      const took = (Date.now() - before) / 1000;
      const [row] = rows;
      if (!row) throw new Error("The database does not find itself in pg_database.");
      const names = createStatementNames("auto");
      await tryNames(names, first, second).catch((error: unknown) => {
        if (!names.stopIfLost(error)) throw error;
      });
      return {
        version: row.version,
        versionNumber: row.number,
        skewSeconds: row.now - before / 1000 - took / 2,
        skewErrorSeconds: took / 2,
        encoding: row.encoding,
        collation: { name: row.collation, recorded: row.recorded, actual: row.actual },
        isStandby: row.standby,
        connections: {
          server: row.server_limit,
          database: row.database_limit,
          account: row.account_limit,
          used: row.used,
        },
        isPooled: !isBackend(first, row.backend),
        keepsPreparedStatements: names.nameOf("any", "SELECT 1") !== undefined,
        missingLimits: row.unlimited,
        unsafeSettings: row.unsafe,
        identity: row.identity,
        logPosition: row.position ?? "0/0",
      };
    }),
  );
}

export type StandbyLag = {
  isStandby: boolean;
  /** What it has not replayed of the primary's log up to `primaryPosition`. */
  bytes: number;
  /** Since the last transaction that it replayed; null if it has replayed none. */
  seconds: number | null;
};

/** How far a standby is behind a position in the primary's log. */
export function readStandbyLag(url: string, primaryPosition: string): Promise<StandbyLag> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ standby: boolean; bytes: number; seconds: number | null }>(
      `SELECT pg_is_in_recovery() AS standby,
         greatest(coalesce(pg_wal_lsn_diff($1::pg_lsn, pg_last_wal_replay_lsn()), 0), 0)::float8 AS bytes,
         extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::float8 AS seconds`,
      [primaryPosition],
    );
    const [row] = rows;
    return { isStandby: row?.standby ?? false, bytes: row?.bytes ?? 0, seconds: row?.seconds ?? null };
  });
}

async function withClient<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
    types,
  });
  client.on("error", ignoreError);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
