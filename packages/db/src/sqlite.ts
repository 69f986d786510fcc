import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import Sqlite from "better-sqlite3";
import { drizzle } from "drizzle-orm/sqlite-proxy";
import { compileParams, compileRow, type Field } from "./compiled.ts";
import { CHANGES, type Handle, type Watched } from "./handle.ts";
import * as tables from "./schema/sqlite.ts";

type Prepared = { statement: Sqlite.Statement; changes: readonly Watched[] };
/** What drizzle has worked out of a query by the time it is prepared. */
type Compiled = {
  query: { sql: string; params: unknown[] };
  fields?: readonly Field[];
  joinsNotNullableMap?: Record<string, boolean>;
};
type Waiting = { run: () => unknown; resolve: (value: never) => void; reject: (cause: unknown) => void };

const WATCHED: readonly Watched[] = ["settings", "standing"];

/** Opens (and creates) a SQLite file, set up for durability: what is committed survives a power cut. */
export function openFile(file: string): Sqlite.Database {
  if (file !== ":memory:") reserve(file);
  const connection = new Sqlite(file, { timeout: 5000 });
  connection.pragma("journal_mode = WAL");
  connection.pragma("synchronous = FULL");
  connection.pragma("foreign_keys = ON");
  return connection;
}

/** Makes the file before SQLite does, for its owner only; what SQLite puts beside it gets the same rights. */
function reserve(file: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    closeSync(openSync(file, "a", 0o600));
  } catch (cause) {
    const mend = "Set GATEHOUSE_DATA_DIR or DATABASE_URL to a place that this account may write to.";
    throw new Error(`The database file cannot be opened (${cause instanceof Error ? cause.message : cause}). ${mend}`, { cause });
  }
}

/**
 * A handle on SQLite with group commit (docs/storage.md): reads run at once, writes wait for the end of the turn of the
 * event loop and share one transaction, and none resolves before its commit. No transaction is ever left open between turns,
 * so two connections of one process cannot block each other.
 */
export function sqliteHandle(connection: Sqlite.Database): Handle {
  const statements = new Map<string, Prepared>();
  const dataVersion = connection.prepare("PRAGMA data_version").pluck();
  const versions: Record<Watched, number> = { settings: 0, standing: 0 };
  let versionOfOthers = dataVersion.get();
  let waiting: Waiting[] = [];

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
    if (statement.reader) return statement.all(...params) as unknown[][];
    statement.run(...params);
    return [];
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

  const [mark, release, undo] = ["SAVEPOINT part", "RELEASE part", "ROLLBACK TO part"].map((sql) => connection.prepare(sql));
  let [careful, halfDone] = [false, false];

  /**
   * Inside a group's transaction: what fails midway undoes itself, and nothing else. Savepoints cost every part a third of its
   * time, and hardly one fails, so at first there are none: where one fails, the whole group begins again, this time with them.
   */
  function allOrNone<Value>(run: () => Value): Value {
    if (careful) mark?.run();
    try {
      return run();
    } catch (cause) {
      if (!careful) halfDone = true;
      else if (connection.inTransaction) undo?.run();
      throw cause;
    } finally {
      if (careful && connection.inTransaction) release?.run();
    }
  }

  function flush(): void {
    const group = waiting;
    waiting = [];
    [careful, halfDone] = [false, false];
    let settle = commitTogether(group);
    if (halfDone) {
      careful = true;
      settle = commitTogether(group);
    }
    for (const done of settle) done();
  }

  /**
   * One transaction for all of them; answers with what tells each of its outcome. A statement that fails undoes itself alone; a
   * lost commit fails every caller. Where a part was left half done, nothing is committed and nobody is told.
   */
  function commitTogether(group: readonly Waiting[]): (() => void)[] {
    const settle: (() => void)[] = [];
    try {
      connection.exec("BEGIN IMMEDIATE");
      for (const { run, resolve, reject } of group) {
        try {
          const value = run() as never;
          settle.push(() => resolve(value));
        } catch (cause) {
          if (!connection.inTransaction || (halfDone && !careful)) throw cause; // SQLite gave up the whole transaction: disk full, I/O error
          settle.push(() => reject(cause));
        }
      }
      connection.exec("COMMIT");
      return settle;
    } catch (cause) {
      if (connection.inTransaction) connection.exec("ROLLBACK");
      return halfDone && !careful
        ? []
        : group.map(
            ({ reject }) =>
              () =>
                reject(cause),
          );
    }
  }

  function write<Value>(run: () => Value): Promise<Value> {
    return new Promise<Value>((resolve, reject) => {
      if (waiting.push({ run, resolve, reject }) === 1) setImmediate(flush);
    });
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
