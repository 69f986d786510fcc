import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import Sqlite from "better-sqlite3";
import { drizzle } from "drizzle-orm/sqlite-proxy";
import { orUnavailable } from "../errors/unavailable.ts";
import { compileParams, compileRow, type Field } from "../query/compile.ts";
import { CHANGES, type Handle, type ReadHandle, type Watched } from "../query/handle.ts";
import * as tables from "../schema/sqlite/index.ts";
import { BUSY_TIMEOUT_MS, createGroupCommit, type GroupCommit } from "./group-commit.ts";

type Prepared = { statement: Sqlite.Statement; changes: readonly Watched[] };
/** What drizzle has worked out of a query by the time it is prepared. */
type Compiled = {
  query: { sql: string; params: unknown[] };
  fields?: readonly Field[];
  joinsNotNullableMap?: Record<string, boolean>;
};

const WATCHED: readonly Watched[] = ["settings", "standing"];

/** At start, blocking does no harm: several processes that open a new file take turns. */
const OPEN_WITHIN_MS = 5000;

/** Opens (and creates) a SQLite file, set up for durability: what is committed survives a power cut. */
export function openFile(file: string): Sqlite.Database {
  if (file !== ":memory:") reserve(file);
  const connection = new Sqlite(file, { timeout: OPEN_WITHIN_MS });
  connection.pragma("journal_mode = WAL");
  connection.pragma("synchronous = FULL");
  connection.pragma("foreign_keys = ON");
  connection.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  return connection;
}

/**
 * Makes the file before SQLite does, for its owner only; what SQLite puts beside it gets the same rights. Does not open one that exists:
 * closing it again would give back the locks that this process holds on it.
 */
export function reserve(file: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    if (existsSync(file)) accessSync(file, constants.R_OK | constants.W_OK);
    else closeSync(openSync(file, "a", 0o600));
  } catch (cause) {
    const mend = "Set GATEHOUSE_DATA_DIR or DATABASE_URL to a place that this account may write to.";
    throw new Error(`The database file cannot be opened (${cause instanceof Error ? cause.message : cause}). ${mend}`, { cause });
  }
}

/**
 * A handle on SQLite with group commit (docs/storage.md): reads run at once; writes wait for the end of the turn of the event loop
 * and share one transaction, and none resolves before its commit. No transaction is left open between turns, so two connections of
 * one process cannot block each other.
 */
export function sqliteHandle(connection: Sqlite.Database, { write, allOrNone }: GroupCommit = createGroupCommit(connection)): Handle {
  const statements = new Map<string, Prepared>();
  const dataVersion = connection.prepare("PRAGMA data_version").pluck();
  const versions: Record<Watched, number> = { settings: 0, standing: 0 };
  let versionOfOthers = dataVersion.get();

  function statementOf(sql: string): Prepared {
    let known = statements.get(sql);
    if (!known) {
      const statement = connection.prepare(sql);
      if (statement.reader) statement.raw(true);
      known = { statement, changes: WATCHED.filter((watched) => CHANGES[watched].test(sql)) };
      if (statements.size < 500) statements.set(sql, known); // searches in the console make endless variants
    }
    return known;
  }

  const execute = (sql: string, params: unknown[]) => run(statementOf(sql), params);

  function run({ statement, changes }: Prepared, params: unknown[]): unknown[][] {
    for (const watched of changes) versions[watched] += 1; // seen by nobody before the commit, which comes in the same turn
    try {
      if (statement.reader) return statement.all(...params) as unknown[][];
      statement.run(...params);
      return [];
    } catch (cause) {
      throw orUnavailable(cause);
    }
  }

  /** SQLite tells of the commits of every other connection, in whatever process; our own are counted above. */
  function version(of: Watched): number {
    const seen = dataVersion.get();
    if (seen !== versionOfOthers) {
      versionOfOthers = seen;
      for (const watched of WATCHED) versions[watched] += 1;
    }
    return versions[of];
  }

  const db = drizzle(async (sql, params) => {
    const found = statementOf(sql);
    return { rows: found.statement.readonly ? run(found, params) : await write(() => run(found, params)) };
  });

  /** What drizzle's driver does for each call, done once. */
  function prepare(query: { prepare(): unknown }): { execute(values: Record<string, unknown>): Promise<unknown[]> } {
    const { query: text, fields, joinsNotNullableMap } = query.prepare() as Compiled;
    const fill = compileParams(text.params);
    const rowOf = fields ? compileRow(fields, joinsNotNullableMap) : undefined;
    return {
      async execute(values) {
        const found = statementOf(text.sql);
        const params = fill(values);
        const rows = found.statement.readonly ? run(found, params) : await write(() => run(found, params));
        return rowOf ? rows.map(rowOf) : rows;
      },
    };
  }

  return {
    db: db as unknown as Handle["db"],
    tables: tables as unknown as Handle["tables"],
    dialect: "sqlite",
    prepare: prepare as unknown as Handle["prepare"],
    gathers: false,
    version,
    together: (parts) => write(() => allOrNone(() => parts.map(({ sql, params }) => execute(sql, params)))),
    spend: (first, rest) =>
      write(() =>
        allOrNone(() => {
          const won = execute(first.sql, first.params).length > 0;
          for (const { sql, params } of won ? rest : []) execute(sql, params);
          return won;
        }),
      ),
  };
}

/** A handle that only reads; `run` executes the statements, on this connection or on a thread. */
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
