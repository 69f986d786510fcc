import { AsyncLocalStorage } from "node:async_hooks";
import { readFileSync, statSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import Sqlite from "better-sqlite3";
import pg from "pg";
import { sqliteFile } from "../database.ts";

/**
 * What one request asks of SQLite: executions of statements, `PRAGMA`s, commits, and the B-trees that its commits
 * write.
 */
export type SqliteCost = {
  statements: number;
  pragmas: number;
  commits: number;
  trees: readonly string[];
  logBytes: number;
};
/**
 * What one request asks of PostgreSQL: statements sent, BEGIN and COMMIT among them, and how often it waits for an
 * answer.
 */
export type PostgresCost = { statements: number; roundTrips: number };

/** Counts what requests ask of one database of this process. `stop` ends the counting. */
export type CostCounter<Cost> = { costOf(request: () => Promise<unknown>): Promise<Cost>; stop(): void };

/** Turns of the event loop after an answer in which a request can still write. */
const TURNS_AFTERWARDS = 20;

/** Runs `request` and lets what it started finish. Only what happens in its own asynchronous context has its count. */
async function within<Count>(
  counts: AsyncLocalStorage<Count>,
  count: Count,
  request: () => Promise<unknown>,
): Promise<Count> {
  await counts.run(count, async () => {
    await request();
    for (let turn = 0; turn < TURNS_AFTERWARDS; turn++) await nextTurn();
  });
  return count;
}

type Statement = Pick<Sqlite.Statement, "source"> & Record<"run" | "get" | "all", (...params: unknown[]) => unknown>;

/** Counts what requests ask of the SQLite file of `url`. Call it after the migrations, before the first request. */
export function countSqlite(url: string): CostCounter<SqliteCost> {
  const file = sqliteFile(url);
  if (file === undefined) throw new Error("only a database in a file has a log");
  const counts = new AsyncLocalStorage<{ statements: number; pragmas: number; commits: number }>();
  const other = new Sqlite(file);
  // The log starts from the beginning, so that no checkpoint of SQLite's own falls into a request.
  other.pragma("wal_checkpoint(TRUNCATE)");
  const prototype: Statement = Object.getPrototypeOf(other.prepare("SELECT 1"));
  const { exec } = Sqlite.prototype;
  const originals = { run: prototype.run, get: prototype.get, all: prototype.all };
  for (const method of ["run", "get", "all"] as const)
    prototype[method] = function counted(this: Statement, ...params: unknown[]) {
      const count = counts.getStore();
      if (count && /^\s*PRAGMA/i.test(this.source)) count.pragmas++;
      else if (count) count.statements++;
      return originals[method].apply(this, params);
    };
  Sqlite.prototype.exec = function counted(this: Sqlite.Database, source: string) {
    const count = counts.getStore();
    if (count && source === "COMMIT") count.commits++;
    return exec.call(this, source);
  };

  return {
    async costOf(request) {
      const from = statSync(`${file}-wal`).size;
      const count = await within(counts, { statements: 0, pragmas: 0, commits: 0 }, request);
      const to = statSync(`${file}-wal`).size;
      return { ...count, trees: treesOf(other, pagesBetween(`${file}-wal`, from, to)), logBytes: to - from };
    },
    stop() {
      Object.assign(prototype, originals);
      Sqlite.prototype.exec = exec;
      counts.disable();
      other.close();
    },
  };
}

const [LOG_HEADER_BYTES, FRAME_HEADER_BYTES] = [32, 24];

/**
 * The numbers of the pages that were written to the log between two of its sizes.
 * https://sqlite.org/fileformat2.html#the_write_ahead_log
 */
function pagesBetween(log: string, from: number, to: number): ReadonlySet<number> {
  if (to === 0 || to === from) return new Set();
  const bytes = readFileSync(log);
  const frameBytes = FRAME_HEADER_BYTES + bytes.readUInt32BE(8);
  const pages = new Set<number>();
  for (let at = Math.max(from, LOG_HEADER_BYTES); at < to; at += frameBytes) pages.add(bytes.readUInt32BE(at));
  return pages;
}

/** The tables and indexes that have these pages. The first page, which changes when the file grows, is nobody's. */
function treesOf(connection: Sqlite.Database, pages: ReadonlySet<number>): string[] {
  if (pages.size === 0) return [];
  const statement = connection.prepare(
    "SELECT DISTINCT name FROM dbstat WHERE pageno > 1 AND pageno IN (SELECT value FROM json_each(?))",
  );
  const names = statement.pluck().all(JSON.stringify([...pages])) as string[];
  return names.filter((name) => !name.startsWith("sqlite_schema")).sort();
}

/** Counts what requests ask of PostgreSQL over any connection of this process. */
export function countPostgres(): CostCounter<PostgresCost> {
  const counts = new AsyncLocalStorage<PostgresCost & { inFlight: number }>();
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function counted(this: pg.Client, ...args: unknown[]) {
    const count = counts.getStore();
    if (!count) return Reflect.apply(query, this, args);
    count.statements++;
    if (count.inFlight++ === 0) count.roundTrips++;
    const answered = () => void count.inFlight--;
    const callback = args.at(-1);
    if (typeof callback !== "function") return Reflect.apply(query, this, args).finally(answered);
    const wrapped = (...answer: unknown[]) => {
      answered();
      return callback(...answer);
    };
    return Reflect.apply(query, this, [...args.slice(0, -1), wrapped]);
  } as typeof query;

  return {
    async costOf(request) {
      const { statements, roundTrips } = await within(counts, { statements: 0, roundTrips: 0, inFlight: 0 }, request);
      return { statements, roundTrips };
    },
    stop() {
      pg.Client.prototype.query = query;
      counts.disable();
    },
  };
}
