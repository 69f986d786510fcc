import { isAbsolute, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Database, OpenOptions } from "./contract.ts";
import { openPostgres } from "./postgres/open.ts";
import { openSqlite } from "./sqlite/open.ts";

export type { Database, Engine, OpenOptions } from "./contract.ts";

/**
 * Opens `file:…` or a path as SQLite, and `postgres://…` as PostgreSQL; throws on any other URL. A relative path is
 * relative to the working directory. Does not migrate.
 */
export async function openDatabase(url: string, options: OpenOptions = {}): Promise<Database> {
  return isPostgres(url) ? openPostgres(url, options) : openSqlite(fileOf(url), options);
}

export const isPostgres = (url: string): boolean => /^postgres(ql)?:\/\//.test(url);

/** The file of a SQLite URL; undefined for PostgreSQL and for an in-memory database. */
export function sqliteFile(url: string): string | undefined {
  if (isPostgres(url)) return undefined;
  const file = fileOf(url);
  return file === ":memory:" ? undefined : file;
}

/** `file:///a/b.db`, `file:/a/b.db`, `file:b.db`, `/a/b.db` and `./b.db` all name a file. */
function fileOf(url: string): string {
  if (url === ":memory:") return url;
  if (url.startsWith("file:///")) return fileURLToPath(url);
  const path = url.startsWith("file:") ? url.slice("file:".length) : url;
  if (path === "" || /^[a-z][a-z0-9+.-]*:\/\//i.test(path)) {
    throw new Error(
      `DATABASE_URL is not usable: "${url.split("@").at(-1)}". Use file:<path> for SQLite or postgres://… for PostgreSQL.`,
    );
  }
  return isAbsolute(path) ? path : resolve(path);
}
