import type { SqliteFacts } from "@gatehouse/db/inspect/sqlite-facts";
import { type Finding, failed, ok, warning } from "@gatehouse/webhooks/doctor";
import { check } from "./finding.ts";

/** As the alerts GatehouseDiskLow and GatehouseWalLong have it. */
const MIN_FREE = 0.15;
const MAX_LOG_BYTES = 256 * 2 ** 20;
const MIB = 2 ** 20;

/** What the doctor says about the SQLite file. OP-09, OP-14, OP-50 */
export function judgeSqlite(facts: SqliteFacts): Finding[] {
  return [
    check("db_version", "SQLite is the one that Gatehouse brings", ok(facts.version, "It is tested.")),
    check("db_journal", "The file has a write-ahead log", journalOf(facts)),
    check("db_file_system", "The file is on a disk of this machine", fileSystemOf(facts)),
    check("db_permissions", "Only its owner can read the file", permissionsOf(facts)),
    check("db_log", "The log stays short", logOf(facts)),
    check("db_disk", "The disk has room", diskOf(facts)),
  ];
}

function journalOf({ journalMode }: SqliteFacts) {
  if (journalMode === "wal") return ok("wal", "Readers and the writer do not wait for each other.");
  return failed(
    journalMode,
    "Another program changed the journal mode, so readers block the writer.",
    "Stop that program; the next start of a server turns the log on again.",
  );
}

function fileSystemOf({ foreignFileSystem: foreign }: SqliteFacts) {
  if (foreign === undefined) return ok("a local file system", "SQLite's locks work.");
  return failed(
    foreign,
    "SQLite's locks and shared memory do not work there, which damages the database sooner or later.",
    "Move the data folder to a local disk, or use PostgreSQL.",
  );
}

function permissionsOf({ isReadableByOthers }: SqliteFacts) {
  if (!isReadableByOthers) return ok("private", "It was made readable by its owner alone.");
  return warning(
    "readable by everybody",
    "Every user of this machine can read names, addresses and hashes.",
    "Run chmod 600 on the database and the files beside it.",
  );
}

function logOf({ logBytes }: SqliteFacts) {
  const seen = `${Math.ceil(logBytes / MIB)} MiB`;
  if (logBytes <= MAX_LOG_BYTES) return ok(seen, "It is copied into the file in time.");
  return warning(
    seen,
    "Another program holds a read transaction open, or the disk is too slow.",
    "Find it with fuser on the database file, and end it.",
  );
}

function diskOf({ freeBytes, totalBytes }: SqliteFacts) {
  const seen = `${Math.floor(freeBytes / MIB)} MiB free of ${Math.floor(totalBytes / MIB)} MiB`;
  if (freeBytes >= totalBytes * MIN_FREE) return ok(seen, "There is room for backups and migrations.");
  return warning(seen, "Less than 15 % is free.", "Move backups away, or enlarge the disk.");
}
