import Database from "better-sqlite3";

/** SQLite for all other servers: WAL and `synchronous=NORMAL`, which can lose the last commits in a power cut. */
export function openSqlite(file: string): Database.Database {
  const database = new Database(file);
  database.pragma("journal_mode = WAL");
  database.pragma("synchronous = NORMAL");
  database.pragma("foreign_keys = ON");
  return database;
}
