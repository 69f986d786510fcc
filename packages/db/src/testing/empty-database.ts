import pg from "pg";

const count = (catalog: string) => `(SELECT count(*) || '/' || coalesce(max(oid::bigint), 0) FROM ${catalog})`;

/**
 * An SQL expression. Copies of a database have the same value until their schema, settings or statistics are changed.
 */
export const FINGERPRINT = `concat_ws(' ', ${["pg_class", "pg_attrdef", "pg_constraint", "pg_proc", "pg_trigger"].map(count).join(", ")},
  (SELECT count(*) FROM pg_attribute), (SELECT count(*) FROM pg_stats WHERE schemaname = 'public'),
  (SELECT count(*) FROM pg_db_role_setting WHERE setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())))`;

/** Deleted rows take space, so a database is used until it has grown to this size. */
const MOST_BYTES = 2_000_000;
/** Raised for a database that cannot be used again. */
const NOT_REUSABLE = "GH001";

/**
 * Deletes all rows but those of the ledgers of migrations. Returns false if that would not make the database what it
 * was: its schema differs from `fingerprint`, more than `connections` are open, or it has become too large. `pool` has
 * connections of a superuser.
 */
export async function emptyDatabase(pool: pg.Pool, fingerprint: string, connections: number): Promise<boolean> {
  try {
    await pool.query({ text: emptying(fingerprint, connections) });
    return true;
  } catch (cause) {
    if (cause instanceof pg.DatabaseError && cause.code === NOT_REUSABLE) return false;
    throw cause;
  }
}

/**
 * A replica fires no triggers and checks no foreign keys. Deleting is much faster than TRUNCATE, which creates new
 * files.
 */
const emptying = (fingerprint: string, connections: number) => `DO $$
DECLARE
  filled regclass[];
BEGIN
  FOR attempt IN 0..100 LOOP
    PERFORM pg_stat_clear_snapshot();
    EXIT WHEN ${connections} >= (
      SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'
    );
    IF attempt = 100 THEN RAISE EXCEPTION 'somebody is connected' USING ERRCODE = '${NOT_REUSABLE}'; END IF;
    PERFORM pg_sleep(0.01);
  END LOOP;
  SELECT array_agg(oid::regclass) INTO filled FROM pg_class
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname NOT LIKE '%\\_migrations' AND pg_relation_size(oid) > 0;
  IF ${FINGERPRINT} <> ${pg.escapeLiteral(fingerprint)} THEN
    RAISE EXCEPTION 'the schema was changed' USING ERRCODE = '${NOT_REUSABLE}';
  END IF;
  IF (SELECT sum(pg_total_relation_size(one)) FROM unnest(filled) AS one) > ${MOST_BYTES} THEN
    RAISE EXCEPTION 'the database is too large' USING ERRCODE = '${NOT_REUSABLE}';
  END IF;
  PERFORM set_config('session_replication_role', 'replica', true);
  FOR place IN 1..coalesce(cardinality(filled), 0) LOOP
    EXECUTE format('DELETE FROM %s', filled[place]);
  END LOOP;
END $$`;
