import Database from "better-sqlite3";

/** SQLite as all peers get it: WAL, and `synchronous=NORMAL`, with which the last commits may be lost in a power cut. */
export function openSqlite(file: string): Database.Database {
  const database = new Database(file);
  database.pragma("journal_mode = WAL");
  database.pragma("synchronous = NORMAL");
  database.pragma("foreign_keys = ON");
  return database;
}
