import type Sqlite from "better-sqlite3";
import { drizzle } from "drizzle-orm/sqlite-proxy";
import { orUnavailable } from "../errors/unavailable.ts";
import { createBuilder, type Target, targetOf } from "../query/builder.ts";
import { compile } from "../query/compile.ts";
import type { Handle, Preparable, ReadHandle, Write } from "../query/handle.ts";
import { toWrite } from "../query/prepared.ts";
import * as tables from "../schema/sqlite/index.ts";
import { type CacheVersions, createCacheVersions } from "./cache-versions.ts";
import { createGroupCommit, type GroupCommit } from "./group-commit.ts";
import { createStatements, type Run } from "./statements.ts";

/**
 * A handle on SQLite. Reads run at once. Writes wait for the end of the turn of the event loop and share one transaction
 * (group-commit.ts); each counts in the versions of the caches that it can change (cache-versions.ts).
 */
export function sqliteHandle(
  connection: Sqlite.Database,
  { write }: Pick<GroupCommit, "write"> = createGroupCommit(connection),
  versions: CacheVersions = createCacheVersions(connection),
): Handle {
  const statements = createStatements(connection);

  function execute(run: Run, params: unknown[], target: Target): unknown[][] {
    versions.count(target);
    return run(params);
  }
  const executeWrite = (one: Write) => execute(statements.write(one.sql), one.params, one);

  const db = createBuilder(
    drizzle(async (sql, params) => ({ rows: statements.read(sql)(params) })),
    (target) => drizzle(async (sql, params) => ({ rows: await write(() => execute(statements.write(sql), params, target)) })),
  );

  function prepare(query: Preparable<unknown>, name: string): { execute(values: Record<string, unknown>): Promise<unknown[]> } {
    const { sql, fill, toRow } = compile(query, name);
    const target = targetOf(query);
    const run = target ? statements.write(sql) : statements.read(sql);
    return {
      async execute(values) {
        const params = fill(values);
        const rows = target ? await write(() => execute(run, params, target)) : run(params);
        return toRow ? rows.map(toRow) : rows;
      },
    };
  }

  function compileLocal({ sql, table, operation }: Omit<Write, "params">): (params: readonly unknown[]) => number {
    const change = statements.change(sql);
    const target = { table, operation };
    return (params) => {
      versions.count(target);
      return change(params);
    };
  }

  const runGuarded = (first: Write, rest: readonly Write[], lock?: Write): Promise<boolean> =>
    write((allOrNone) =>
      allOrNone(() => {
        if (lock) executeWrite(lock);
        const passed = executeWrite(first).length > 0;
        if (passed) for (const one of rest) executeWrite(one);
        return passed;
      }),
    );

  return {
    db,
    tables: tables as unknown as Handle["tables"],
    dialect: "sqlite",
    prepare: prepare as Handle["prepare"],
    batches: false,
    local: { compile: compileLocal, transaction: (part) => write((allOrNone) => allOrNone(part)) },
    version: versions.of,

    transaction(parts) {
      const writes = parts.map(toWrite);
      return write((allOrNone) => allOrNone(() => writes.map(executeWrite)));
    },

    spend: (first, rest) => runGuarded(first, rest),
    guarded: (first, rest, lock) => runGuarded(toWrite(first), rest.map(toWrite), lock && toWrite(lock)),
  };
}

/** A handle that only reads. `run` executes the statements, on this connection or on a thread. */
export function sqliteReadHandle(run: (sql: string, params: unknown[]) => Promise<unknown[][]>): ReadHandle {
  const db = drizzle(async (sql, params) => {
    try {
      return { rows: await run(sql, params) };
    } catch (cause) {
      throw orUnavailable(cause);
    }
  });
  return { db: db as unknown as ReadHandle["db"], tables: tables as unknown as ReadHandle["tables"] };
}
