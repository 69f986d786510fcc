import type { MovedRow, MovedTable } from "./rows.ts";

/** One end of a move: a database in one transaction over a connection of its own. OP-55. */
export type MoveEnd = {
  tables: readonly MovedTable[];
  /** The names of all tables in the database but those of the engine's caches, which each database has its own of. */
  tableNames(): Promise<string[]>;
  /** Rows in the order of the key, from the first after `after`. */
  read(table: MovedTable, after: MovedRow | undefined, limit: number): Promise<MovedRow[]>;
  /** For a database that rows are inserted into: no trigger adds others. Triggers are back when it is committed. */
  withoutTriggers(): Promise<void>;
  /** Inserts rows in one statement, or as fast. */
  insert(table: MovedTable, rows: readonly MovedRow[]): Promise<void>;
  count(table: MovedTable): Promise<number>;
  /** Writes, or with null deletes, a fact about the installation. */
  setFact(key: string, value: string | null): Promise<void>;
  commit(): Promise<void>;
  /** Rolls back what was not committed, and closes the connection. */
  close(): Promise<void>;
};
