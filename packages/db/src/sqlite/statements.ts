import { metrics } from "@gatehouse/runtime/metrics";
import { tracing } from "@gatehouse/runtime/tracing";
import type Sqlite from "better-sqlite3";
import { orUnavailable } from "../errors/unavailable.ts";
import { traceStatement } from "../query/traced.ts";

const readSeconds = metrics.dbStatement.series("read");

/**
 * Runs a compiled statement; returns its rows, columns in order. Throws StoreUnavailable when the database cannot serve
 * now.
 */
export type Run = (params: unknown[]) => unknown[][];

/** Statements of one connection, compiled when they are first used. */
export type Statements = {
  read(sql: string): Run;
  write(sql: string): Run;
  /** A write without rows; it returns how many rows it changed. Compiled at each call, so call it once. */
  change(sql: string): (params: readonly unknown[]) => number;
};

/** Filters of the console's searches make endless variants, which are compiled each time once there are this many. */
const MAX_KEPT = 500;

export function createStatements(connection: Sqlite.Database): Statements {
  const kept = new Map<string, { run: Run; readonly: boolean }>();

  function compile(sql: string): { run: Run; readonly: boolean } {
    const known = kept.get(sql);
    if (known) return known;
    const statement = connection.prepare(sql);
    const compiled = { run: runner(statement, sql), readonly: statement.readonly };
    if (kept.size < MAX_KEPT) kept.set(sql, compiled);
    return compiled;
  }

  return {
    read(sql) {
      const { run, readonly } = compile(sql);
      if (!readonly) throw new Error("a statement that writes was sent as a read, outside of the turn's transaction");
      return run;
    },
    write: (sql) => compile(sql).run,
    change(sql) {
      const statement = connection.prepare(sql);
      return (params) => {
        try {
          return statement.run(params).changes;
        } catch (cause) {
          throw orUnavailable(cause);
        }
      };
    },
  };
}

function runner(statement: Sqlite.Statement, sql: string): Run {
  if (statement.reader) statement.raw(true);
  const { readonly } = statement;
  return (params) => {
    try {
      if (readonly) return timedRead(statement, params, sql);
      if (statement.reader) return statement.all(...params) as unknown[][];
      statement.run(...params);
      return [];
    } catch (cause) {
      throw orUnavailable(cause);
    }
  };
}

/** Writes are timed with their commit. */
function timedRead(statement: Sqlite.Statement, params: unknown[], sql: string): unknown[][] {
  const beganMs = performance.now();
  const rows = statement.all(...params) as unknown[][];
  readSeconds.observe((performance.now() - beganMs) / 1000);
  if (tracing.current) traceStatement("sqlite", sql, beganMs);
  return rows;
}
