import { sqliteFile } from "@gatehouse/db/database";
import { type ForeignFileSystem, foreignFileSystemOf } from "@gatehouse/db/sqlite/file-system";
import type { Log } from "./log.ts";
import { wrongSetting } from "./settings/error.ts";

/**
 * Stops the start of a server whose SQLite file several machines could open at once, which damages it sooner or later:
 * throws a SettingsError. Warns where locks may not work. OP-14
 */
export async function assertLocalDisk(databaseUrl: string, log: Log): Promise<void> {
  const file = sqliteFile(databaseUrl);
  if (file !== undefined) judgeFileSystem(await foreignFileSystemOf(file), log);
}

export function judgeFileSystem(foreign: ForeignFileSystem | undefined, log: Log): void {
  if (foreign?.network) throw wrongSetting("DATABASE_URL", `names a file on ${foreign.name}, ${NOT_THERE}. ${MEND}`);
  if (foreign) log.warn({ fileSystem: foreign.name }, `SQLite's locks may not work on this file system. ${MEND}`);
}

const NOT_THERE = "where several machines can open it and SQLite's locks do not work";
const MEND = "Move the data folder to a disk of this machine, or use PostgreSQL";
