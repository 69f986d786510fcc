import { type Pool, withConnection, withRetries } from "./pool.ts";

const LIMIT = `
  SELECT least(
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true)::int, 0),
      nullif(d.datconnlimit, -1), nullif(r.rolconnlimit, -1)) AS allowed,
    pg_backend_pid() AS backend
  FROM pg_database d, pg_roles r WHERE d.datname = current_database() AND r.rolname = current_user`;

/**
 * The connections that the server, the database and the account allow this account together; undefined behind a pooler,
 * which shares its own. OP-14
 */
export function connectionLimit(pool: Pool): Promise<number | undefined> {
  return withRetries(pool, true, () =>
    withConnection(pool, async (connection) => {
      const { rows } = await connection.query<{ allowed: number; backend: number }>(LIMIT);
      const [row] = rows;
      return row && isBackend(connection, row.backend) ? row.allowed : undefined;
    }),
  );
}

/**
 * Whether a connection leads to the server itself: poolers announce a key of their own for cancelling, since the
 * backend changes with each transaction.
 */
export function isBackend(connection: object, backend: number): boolean {
  return "processID" in connection && connection.processID === backend;
}
