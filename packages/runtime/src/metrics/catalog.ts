import { counter, gauge, histogram } from "./metric.ts";
import type { Definition } from "./series.ts";

/** OpenTelemetry's buckets for the duration of HTTP requests, in seconds. */
const HTTP_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
/** For statements and commits. */
const FAST_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1];
/** For waiting, and for hashing passwords. */
const SLOW_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/**
 * Every metric of the server, by what counts it. A label has values
 * from a closed list: never a client, user, address, path or error id. All label sets together make at most 2,500
 * series for each process. OP-75
 */
export const metrics = {
  httpDuration: histogram(
    "http_server_request_duration_seconds",
    "From the arrival of a request until its response is ready; http_route is a route of the policy table, or * for the rest",
    ["http_route", "http_request_method", "http_response_status_code"],
    HTTP_SECONDS,
    { max: 72, maxFolded: 16, fold: ([, , status = ""]) => ["*", "_OTHER", status] },
  ),

  tokensIssued: counter("gatehouse_tokens_issued_total", "Access tokens issued", ["grant_type", "format"]),
  refusals: counter("gatehouse_refusals_total", "Refused requests of the protocol", ["endpoint", "cause"], {
    max: 120,
  }),
  refreshReuse: counter("gatehouse_refresh_reuse_total", "Refresh tokens that came again: retry in time, or attack", [
    "kind",
  ]),
  signIns: counter("gatehouse_sign_ins_total", "Sign-ins by their last factor", ["method", "result"], { max: 30 }),
  passwordHash: histogram(
    "gatehouse_password_hash_seconds",
    "Time to hash a password, without waiting for a permit",
    [],
    SLOW_SECONDS,
  ),
  hashQueue: gauge("gatehouse_hash_queue", "Passwords that wait for a permit to be hashed", []),

  webhookDeliveries: counter(
    "gatehouse_webhook_deliveries_total",
    "Webhook deliveries by outcome; the reason of those rejected",
    ["provider", "outcome", "reason"],
    { max: 120 },
  ),
  webhookAck: histogram(
    "gatehouse_webhook_ack_seconds",
    "From the arrival of a webhook delivery until its response",
    ["provider"],
    SLOW_SECONDS,
    { max: 12 },
  ),

  shed: counter("gatehouse_shed_total", "Requests answered 503 because the server is overloaded", ["reason"]),
  rateLimited: counter("gatehouse_rate_limited_total", "Requests refused by a rate limit", ["limit"], { max: 50 }),

  dbStatement: histogram(
    "gatehouse_db_statement_seconds",
    "Time of a statement or transaction",
    ["kind"],
    FAST_SECONDS,
    { max: 4 },
  ),
  dbPool: gauge("gatehouse_db_pool", "PostgreSQL connections of this server by state, and requests that wait for one", [
    "state",
  ]),
  dbPoolWait: histogram(
    "gatehouse_db_pool_wait_seconds",
    "Time that a statement waited for a free connection",
    [],
    SLOW_SECONDS,
  ),
  dbErrors: counter("gatehouse_db_errors_total", "Statements that failed because the database cannot serve", ["class"]),
  dbRetries: counter("gatehouse_db_retries_total", "Statements and transactions that were run again", ["class"]),

  walBytes: gauge("gatehouse_sqlite_wal_bytes", "Size of SQLite's log", [], { across: "max" }),
  commitSeconds: histogram("gatehouse_sqlite_commit_seconds", "Time of a group commit", [], FAST_SECONDS),
  groupSize: histogram("gatehouse_sqlite_group_size", "Writes that shared a commit", [], SIZES),

  sweepRows: counter("gatehouse_sweep_rows_total", "Expired rows that were deleted", ["table"], { max: 40 }),
  sweepOldestDead: gauge(
    "gatehouse_sweep_oldest_dead_seconds",
    "How long the oldest row that should be deleted has been due",
    ["table"],
    { max: 40, across: "max" },
  ),

  partitionsAhead: gauge(
    "gatehouse_partitions_ahead",
    "Partitions of a table that are there before they are needed",
    ["table"],
    { max: 5, across: "max" },
  ),
  partitionStrayRows: gauge(
    "gatehouse_partition_stray_rows",
    "Rows of a partitioned table that have no partition of their own, up to 100,000",
    ["table"],
    { max: 5, across: "max" },
  ),

  jobs: gauge("gatehouse_jobs", "Jobs by queue and state", ["queue", "state"], { max: 60, across: "max" }),
  jobsOldestDue: gauge("gatehouse_jobs_oldest_due_seconds", "How long the oldest due job has waited", ["queue"], {
    max: 20,
    across: "max",
  }),
  leaseAge: gauge(
    "gatehouse_lease_age_seconds",
    "How long a scheduled task has been due and nobody took it",
    ["name"],
    {
      max: 30,
      across: "max",
    },
  ),
  signingKeyAge: gauge("gatehouse_signing_key_age_seconds", "Age of the key that signs now", ["alg"], {
    max: 5,
    across: "max",
  }),
  sealedValues: gauge(
    "gatehouse_sealed_values",
    "Keys that stored secrets are sealed with; an old one is gone when gatehouse seal rewrap has finished",
    ["key"],
    {
      max: 8,
      across: "max",
    },
  ),
  backupSuccess: gauge(
    "gatehouse_backup_success_timestamp_seconds",
    "When the last backup was completed, in Unix seconds",
    [],
    { across: "max" },
  ),
  backupVerified: gauge(
    "gatehouse_backup_verified_timestamp_seconds",
    "When a backup was last restored aside and checked, in Unix seconds",
    [],
    { across: "max" },
  ),

  diskFree: gauge("gatehouse_disk_free_bytes", "Free space where SQLite's file is", [], { across: "max" }),
  diskSize: gauge("gatehouse_disk_size_bytes", "Size of the disk with SQLite's file", [], { across: "max" }),
  certificateEnd: gauge(
    "gatehouse_certificate_end_timestamp_seconds",
    "When the server's own certificate expires, in Unix seconds",
    [],
    { across: "max" },
  ),

  sseStreams: gauge("gatehouse_sse_streams", "Open event streams", []),
  logLinesDropped: counter("gatehouse_log_lines_dropped_total", "Log lines dropped because nobody reads them", []),
  buildInfo: gauge("gatehouse_build_info", "1; the version is a label", ["version", "node", "engine"], {
    max: 1,
    across: "max",
  }),

  eventLoopDelay: gauge(
    "nodejs_eventloop_delay_seconds",
    "Delay of the event loop since the last scrape, of the slowest process",
    ["percentile"],
    { max: 4, across: "max" },
  ),
  processCpu: counter("process_cpu_seconds_total", "CPU time of the server's processes", []),
  processMemory: gauge("process_resident_memory_bytes", "Memory of the server's processes", []),
  processHeap: gauge("nodejs_heap_size_used_bytes", "Used JavaScript heap of the server's processes", []),
  processFds: gauge("process_open_fds", "Open file descriptors of the process that has most", [], { across: "max" }),
  processMaxFds: gauge("process_max_fds", "The limit of open file descriptors", [], { across: "max" }),
  processStart: gauge("process_start_time_seconds", "When the server started, in Unix seconds", [], { across: "max" }),
} as const;

/** Every definition by its name. */
export const definitions: ReadonlyMap<string, Definition> = new Map(
  Object.values(metrics).map((one): [string, Definition] => [one.name, one]),
);
