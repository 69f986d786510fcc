import { tracing } from "@gatehouse/runtime/tracing";
import type Sqlite from "better-sqlite3";
import { drizzle } from "drizzle-orm/sqlite-proxy";
import { orUnavailable } from "../errors/unavailable.ts";
import { createBuilder, createReadBuilder, tableOf } from "../query/builder.ts";
import { compile } from "../query/compile.ts";
import type { Db, LocalReads, Preparable, ReadDb, Write } from "../query/db.ts";
import { toWrite } from "../query/prepared.ts";
import { tracingStatement } from "../query/traced.ts";
import * as tables from "../schema/sqlite/index.ts";
import { createVersionReader } from "./cache-versions.ts";
import { createGroupCommit, type GroupCommit } from "./group-commit.ts";
import type { AllOrNone } from "./shared-transaction.ts";
import { createStatements, type Run } from "./statements.ts";

/**
 * The database on SQLite. Reads run at once. Writes wait for the end of the turn of the event loop and share one
 * transaction (group-commit.ts).
 */
export function sqliteDb(
  connection: Sqlite.Database,
  { write }: Pick<GroupCommit, "write"> = createGroupCommit(connection),
): Db {
  const statements = createStatements(connection);
  const versions = createVersionReader(connection);

  function execute(run: Run, params: unknown[]): unknown[][] {
    versions.wrote();
    return run(params);
  }
  /** A write and its commit. `sql`: the statement, or the first of several. */
  const commit = <Value>(sql: string | undefined, part: (allOrNone: AllOrNone) => Value): Promise<Value> =>
    tracing.current && sql !== undefined ? tracingStatement("sqlite", sql, () => write(part)) : write(part);
  const executeWrite = (one: Write) => execute(statements.write(one.sql), one.params);

  const builder = createBuilder(
    drizzle(async (sql, params) => ({ rows: statements.read(sql)(params) })),
    drizzle(async (sql, params) => ({ rows: await commit(sql, () => execute(statements.write(sql), params)) })),
  );

  function prepare(
    query: Preparable<unknown>,
    name: string,
  ): { execute(values: Record<string, unknown>): Promise<unknown[]> } {
    const { sql, fill, toRow } = compile(query, name);
    const writes = tableOf(query) !== undefined;
    const run = writes ? statements.write(sql) : statements.read(sql);
    return {
      async execute(values) {
        const params = fill(values);
        const rows = writes ? await commit(sql, () => execute(run, params)) : run(params);
        return toRow ? rows.map(toRow) : rows;
      },
    };
  }

  function prepareLocal(query: Preparable<unknown>, name: string): (key: string) => unknown {
    const { sql, fill, toRow } = compile(query, name);
    const run = statements.read(sql);
    return (key) => {
      const [row] = run(fill({ key }));
      return row && toRow?.(row);
    };
  }

  function compileLocal({ sql }: Omit<Write, "params">): (params: readonly unknown[]) => number {
    const change = statements.change(sql);
    return (params) => {
      versions.wrote();
      return change(params);
    };
  }

  const runGuarded = (first: Write, rest: readonly Write[], lock?: Write): Promise<boolean> =>
    commit(first.sql, (allOrNone) =>
      allOrNone(() => {
        if (lock) executeWrite(lock);
        const passed = executeWrite(first).length > 0;
        if (passed) for (const one of rest) executeWrite(one);
        return passed;
      }),
    );

  return {
    ...builder,
    tables: tables as unknown as Db["tables"],
    dialect: "sqlite",
    prepare: prepare as Db["prepare"],
    batches: false,
    versions: { read: versions.read, latest: versions.read },
    local: {
      prepare: prepareLocal as LocalReads["prepare"],
      versions: versions.read,
      compile: compileLocal,
      transaction: (part) => write((allOrNone) => allOrNone(part)),
    },

    transaction(parts) {
      const writes = parts.map(toWrite);
      return commit(writes[0]?.sql, (allOrNone) => allOrNone(() => writes.map(executeWrite)));
    },

    spend: (first, rest) => runGuarded(first, rest),
    guarded: (first, rest, lock) => runGuarded(toWrite(first), rest.map(toWrite), lock && toWrite(lock)),
  };
}

/** A database that only reads. `run` executes the statements, on this connection or on a thread. */
export function sqliteReadDb(run: (sql: string, params: unknown[]) => Promise<unknown[][]>): ReadDb {
  const reads = drizzle(async (sql, params) => {
    try {
      return { rows: await run(sql, params) };
    } catch (cause) {
      throw orUnavailable(cause);
    }
  });
  return { ...createReadBuilder(reads), tables: tables as unknown as ReadDb["tables"] };
}
