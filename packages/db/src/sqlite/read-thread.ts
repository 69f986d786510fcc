import type { MessagePort } from "node:worker_threads";
import Sqlite from "better-sqlite3";

export type ReadRequest = { id: number; sql: string; params: unknown[] };
export type ReadAnswer = { id: number; rows: unknown[][] } | { id: number; error: string; code?: unknown };

/**
 * Runs the statements that {@link createThreadReader} sends, one by one, over a read-only connection. Runs on a thread.
 * Each statement is a transaction of its own, so it sees every write committed before it was sent.
 */
export function answerReads(file: string, port: MessagePort): void {
  const connection = new Sqlite(file, { readonly: true, fileMustExist: true, timeout: 5000 });
  port.on("message", ({ id, sql, params }: ReadRequest) => {
    const answer: ReadAnswer = { id, ...run(connection, sql, params) };
    port.postMessage(answer);
  });
}

function run(
  connection: Sqlite.Database,
  sql: string,
  params: unknown[],
): { rows: unknown[][] } | { error: string; code?: unknown } {
  try {
    return { rows: readRows(connection, sql, params) };
  } catch (cause) {
    if (!(cause instanceof Error)) return { error: String(cause) };
    return { error: cause.message, ...("code" in cause && { code: cause.code }) };
  }
}

/**
 * Compiles the statement each time: searches in the console make endless variants, and compiling takes microseconds.
 */
export function readRows(connection: Sqlite.Database, sql: string, params: unknown[]): unknown[][] {
  return connection
    .prepare<unknown[], unknown[]>(sql)
    .raw(true)
    .all(...params);
}
