import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { Database, OpenOptions } from "../contract.ts";
import { historyOfSqlite, previewSqlite } from "../migrations/preview.ts";
import { seriesOf } from "../migrations/read.ts";
import { sqliteSchema } from "../migrations/schema-state.ts";
import { migrateSqlite } from "../migrations/sqlite.ts";
import { NO_WAITS } from "../postgres/pool-waits.ts";
import type { WriteGate } from "../write-gate.ts";
import { deferCheckpoints, leaveCheckpoints } from "./checkpoint.ts";
import { sqliteDb, sqliteReadDb } from "./db.ts";
import { openFile } from "./file.ts";
import { lockShared } from "./file-lock.ts";
import { createGroupCommit } from "./group-commit.ts";
import { readRows } from "./read-thread.ts";
import { createThreadReader, type ThreadReader } from "./thread-reader.ts";

/** As `openDatabase`, for a file, or `:memory:`. */
export function openSqlite(file: string, options: OpenOptions): Database {
  const series = () => seriesOf("sqlite", options);
  const lock = file === ":memory:" ? undefined : lockShared(file); // before opening it: a restore may replace the file
  const connection = openFile(file);
  if (options.checkpoint === "external") leaveCheckpoints(connection);
  const gate: WriteGate = { closed: false };
  const groupCommit = createGroupCommit(connection, gate);
  const db = sqliteDb(connection, groupCommit);
  let reader: ThreadReader | undefined;
  const reads = sqliteReadDb(async (sql, params) =>
    reader ? reader.run(sql, params) : readRows(connection, sql, params),
  );
  return {
    dialect: "sqlite",
    db,
    background: db,
    reads,
    lists: reads,
    engine: { dialect: "sqlite", connection, write: groupCommit.write },
    schema: async () => sqliteSchema(connection, series()),
    migrate: async () => migrateSqlite(connection, series()),
    previewMigrations: async () => previewSqlite(connection, series(), trialFile(file)),
    migrationHistory: async () => historyOfSqlite(connection, series()),
    keepPartitions: undefined,
    deferCheckpoints() {
      if (file === ":memory:") return undefined;
      if (options.checkpoint !== "external") deferCheckpoints(connection);
      return file;
    },
    readOnThread(start) {
      if (file !== ":memory:") reader ??= createThreadReader(() => start(file));
    },
    poolWaits: () => NO_WAITS,
    refuseWrites(refuse) {
      gate.closed = refuse;
    },
    close: async () => {
      await reader?.close();
      await setImmediate(); // writes of this turn are queued when it ends
      await groupCommit.idle();
      connection.close();
      lock?.close();
    },
  };
}

/** Where migrations are tried: beside the file, where there is room for one. */
function trialFile(file: string): string {
  const place = file === ":memory:" ? join(tmpdir(), "gatehouse-migrations") : file;
  return `${place}.${process.pid}.trial`;
}
