import { createHash } from "node:crypto";
import { closeSync, createReadStream, fsyncSync, openSync } from "node:fs";
import { dirname } from "node:path";
import Sqlite from "better-sqlite3";
import { migrationNames } from "../migrations/schema-state.ts";
import type { Db } from "../query/db.ts";
import { sqliteDb } from "../sqlite/db.ts";

/** An open SQLite file that no server uses, such as a backup. */
export type LooseFile = { db: Db; connection: Sqlite.Database };

/** Opens a SQLite file for `work` and closes it. Afterwards all that `work` wrote is on disk, in this one file. */
export async function withFile<Result>(
  file: string,
  mode: "read" | "write",
  work: (open: LooseFile) => Promise<Result>,
): Promise<Result> {
  const connection = new Sqlite(file, { readonly: mode === "read", fileMustExist: true });
  try {
    if (mode === "write") connection.pragma("synchronous = FULL");
    connection.pragma("foreign_keys = ON");
    return await work({ connection, db: sqliteDb(connection) });
  } finally {
    connection.close();
  }
}

/** The contents of a backup. */
export type Contents = {
  /** The migrations that were applied, in order. */
  schema: string[];
  /** Number of rows by table. */
  tables: Record<string, number>;
};

/** Reads the whole file and returns its faults, for people; empty if there are none. */
export function checkFile({ connection }: Pick<LooseFile, "connection">): string[] {
  const integrity = connection.pragma("integrity_check(20)") as { integrity_check: string }[];
  const problems = integrity.map((row) => row.integrity_check).filter((line) => line !== "ok");
  if (problems.length > 0) return problems;
  const orphans = connection.pragma("foreign_key_check") as { table: string; parent: string }[];
  const pairs = new Set(orphans.map(({ table, parent }) => `${table} has rows whose ${parent} is missing`));
  return [...pairs];
}

export function contentsOf({ connection }: Pick<LooseFile, "connection">): Contents {
  const names = connection
    .prepare<[], string>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
    )
    .pluck()
    .all();
  const count = (table: string) => connection.prepare<[], number>(`SELECT count(*) FROM "${table}"`).pluck().get() ?? 0;
  return { schema: migrationNames(connection), tables: Object.fromEntries(names.map((name) => [name, count(name)])) };
}

/** SHA-256 of a file, in hex. */
export async function hashFile(file: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest("hex");
}

/** Waits until the file, or a folder's list of files, is on disk. */
export function syncToDisk(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** The same for the folder of a file that was created or renamed. */
export function syncFolderOf(file: string): void {
  syncToDisk(dirname(file));
}
