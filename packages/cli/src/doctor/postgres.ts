import type { PostgresFacts, StandbyLag } from "@gatehouse/db/inspect/postgres-facts";
import { type Finding, failed, ok, skipped, warning } from "@gatehouse/webhooks/doctor";
import { check } from "./finding.ts";

/** What our migrations and queries are tested with. OP-39 */
const OLDEST = 15;
const NEWEST = 18;
/** Token lifetimes and webhook windows tolerate no more. OP-84 */
const MAX_SKEW_SECONDS = 30;
const MAX_LAG_SECONDS = 60;

export type Wanted = {
  /** Connections of all servers together, and how many servers that is. */
  connections: number;
  servers: number;
  prepare: "auto" | "on" | "off";
};

/** What the doctor says about the PostgreSQL server of DATABASE_URL. OP-26, OP-27, OP-34, OP-39, OP-84 */
export function judgePostgres(facts: PostgresFacts, wanted: Wanted): Finding[] {
  return [
    check("db_version", "The version is supported", versionOf(facts)),
    check("db_primary", "DATABASE_URL leads to the primary", primaryOf(facts)),
    check("db_clock", "The clocks of this machine and of the database agree", clockOf(facts)),
    check("db_collation", "Texts are stored and sorted as when the database was made", collationOf(facts)),
    check("db_pooler", "A connection pooler in front is understood", poolerOf(facts, wanted)),
    check("db_limits", "Statements that take too long are ended", limitsOf(facts)),
    check("db_connections", "The connections of all servers fit", connectionsOf(facts, wanted)),
    check("db_durability", "What was committed survives a power cut", durabilityOf(facts)),
  ];
}

function versionOf({ version, versionNumber }: PostgresFacts) {
  const major = Math.floor(versionNumber / 10_000);
  if (major < OLDEST)
    return failed(
      version,
      `PostgreSQL ${OLDEST} is the oldest that Gatehouse runs on.`,
      "Upgrade the database server.",
    );
  if (major > NEWEST)
    return warning(version, "Gatehouse has not been tested on it.", `Use PostgreSQL ${OLDEST} to ${NEWEST}.`);
  return ok(version, "It is tested.");
}

function primaryOf({ isStandby }: PostgresFacts) {
  if (!isStandby) return ok("it takes writes", "It is the primary.");
  return failed(
    "a standby",
    "It rejects every write.",
    "After a fail-over, lead DATABASE_URL to the new primary: a standby is for DATABASE_READ_URL.",
  );
}

function clockOf({ skewSeconds, skewErrorSeconds }: PostgresFacts) {
  const seen = `${skewSeconds.toFixed(1)} s, give or take ${skewErrorSeconds.toFixed(1)} s`;
  if (Math.abs(skewSeconds) - skewErrorSeconds <= MAX_SKEW_SECONDS) return ok(seen, "They agree.");
  return failed(
    seen,
    "Leases follow the database's clock and tokens the server's, so tokens live too long or too short.",
    "Synchronize both machines with NTP.",
  );
}

function collationOf({ encoding, collation: { name, recorded, actual } }: PostgresFacts) {
  if (encoding !== "UTF8")
    return failed(encoding, "Names in other languages cannot be stored.", "Make the database with ENCODING 'UTF8'.");
  const seen = `${encoding}, ${name}`;
  if (recorded === null || actual === null || recorded === actual)
    return ok(seen, "Keys are compared by their bytes, whatever the collation.");
  return warning(
    `${seen}, ${recorded} then and ${actual} now`,
    "The rules for sorting changed with the operating system, so indexes on names may be out of order.",
    "Run REINDEX DATABASE, then ALTER DATABASE … REFRESH COLLATION VERSION.",
  );
}

function poolerOf({ isPooled, keepsPreparedStatements: keeps }: PostgresFacts, { prepare }: Wanted) {
  if (!isPooled) return ok("none", "Connections lead to the server itself.");
  if (keeps) return ok("a pooler that keeps prepared statements", "It serves everything that Gatehouse does.");
  if (prepare === "off") return ok("a pooler without prepared statements", "DATABASE_PREPARE=off says so too.");
  return warning(
    "a pooler that loses prepared statements",
    "Servers find that out and go on without, but PostgreSQL parses each statement again.",
    "Use PgBouncer 1.21 or later with max_prepared_statements, or set DATABASE_PREPARE=off to confirm it.",
  );
}

function limitsOf({ isPooled, missingLimits }: PostgresFacts) {
  if (!isPooled) return ok("set by each connection", "A statement that hangs ends after five seconds.");
  if (missingLimits.length === 0) return ok("set for the account", "A statement that hangs ends after five seconds.");
  return warning(
    `no ${missingLimits.join(", ")}`,
    "The pooler drops the limits of connections, and the account has none: a statement that hangs keeps its connection.",
    "Run gatehouse migrate: it sets them for the account. Then reconnect the pooler to the server.",
  );
}

function connectionsOf({ isPooled, connections }: PostgresFacts, { connections: wanted, servers }: Wanted) {
  if (isPooled) return skipped("The pooler shares its connections: its limits count.");
  const limits = [connections.server, connections.database, connections.account].filter((limit) => limit >= 0);
  const limit = Math.min(...limits);
  const seen = `${limit} allowed, ${connections.used} open`;
  const sentence = `${servers === 1 ? "One server" : `${servers} servers`} can open ${wanted}`;
  if (wanted <= limit) return ok(seen, `${sentence}.`);
  return warning(
    seen,
    `${sentence}, and the last ones are refused while all are in use.`,
    "Lower DATABASE_POOL or WEB_CONCURRENCY, raise max_connections, or put a pooler in front.",
  );
}

function durabilityOf({ unsafeSettings: unsafe }: PostgresFacts) {
  if (unsafe.length === 0) return ok("fsync and synchronous_commit", "Every commit is on disk before it is answered.");
  return failed(
    `${unsafe.join(", ")} off`,
    "A crash loses or damages what was acknowledged: spent codes and revoked tokens come back.",
    `Turn ${unsafe.join(" and ")} on.`,
  );
}

/** What the doctor says about DATABASE_DIRECT_URL. OP-27 */
export function judgeDirect(facts: PostgresFacts, pooled: PostgresFacts): Finding {
  const title = "DATABASE_DIRECT_URL leads to the same database, past the pooler";
  if (facts.identity !== pooled.identity)
    return check(
      "db_direct",
      title,
      failed("another database", "Migrations would change another database.", "Correct DATABASE_DIRECT_URL."),
    );
  if (facts.isPooled)
    return check(
      "db_direct",
      title,
      warning(
        "a pooler",
        "Migrations need a connection of their own.",
        "Name the server itself in DATABASE_DIRECT_URL.",
      ),
    );
  return check("db_direct", title, ok("the server itself", "Migrations go past the pooler."));
}

/** What the doctor says about DATABASE_READ_URL. OP-33 */
export function judgeStandby({ isStandby, bytes, seconds }: StandbyLag): Finding {
  const title = "The standby of DATABASE_READ_URL keeps up";
  if (!isStandby)
    return check(
      "db_standby",
      title,
      warning(
        "a primary",
        "Lists of the console load the primary, or show another database.",
        "Name a standby, or remove DATABASE_READ_URL.",
      ),
    );
  const lag = bytes === 0 ? "nothing" : `${Math.ceil(bytes / 1024)} KiB, ${Math.round(seconds ?? 0)} s`;
  if (bytes === 0 || (seconds ?? 0) <= MAX_LAG_SECONDS)
    return check("db_standby", title, ok(`${lag} behind`, "Lists of the console are current."));
  return check(
    "db_standby",
    title,
    warning(
      `${lag} behind`,
      "Lists of the console are that old, and a fail-over would lose it.",
      "Look at the network and the disk of the standby.",
    ),
  );
}
